package io.github.untaken.feeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;

/** A key of {@code localhost}, and its certificate, which is of no other authority. */
public record SelfSigned(Key key, Certificate certificate) {
    private static final String NAME = "localhost";
    private static final String SECRET = "changeit";

    /** @param store is made */
    public static SelfSigned in(Path store) throws Exception {
        int exit = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        NAME,
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        SECRET,
                        "-keystore",
                        store.toString()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new AssertionError("keytool has failed: " + exit);
        }
        KeyStore made = KeyStore.getInstance(store.toFile(), SECRET.toCharArray());
        return new SelfSigned(made.getKey(NAME, SECRET.toCharArray()), made.getCertificate(NAME));
    }

    /** As servers and clients read it. */
    public Path writeKey(Path file) throws Exception {
        return write(file, "PRIVATE KEY", key.getEncoded());
    }

    public Path writeCertificate(Path file) throws Exception {
        return write(file, "CERTIFICATE", certificate.getEncoded());
    }

    private static Path write(Path file, String what, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
    }
}
