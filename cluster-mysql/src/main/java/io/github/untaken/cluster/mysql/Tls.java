package io.github.untaken.cluster.mysql;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** How the connection to the log is encrypted and the server proves its identity: as the driver for that address would do it. */
final class Tls {
    private static final Set<String> KNOWN = ignoringCase(
            ("sslMode useSSL requireSSL verifyServerCertificate trustServerCertificate disableSslHostnameVerification"
                            + " serverSslCert trustStore trustStorePassword trustStoreType"
                            + " trustCertificateKeyStoreUrl trustCertificateKeyStorePassword trustCertificateKeyStoreType"
                            + " keyStore keyStorePassword keyStoreType keyPassword"
                            + " clientCertificateKeyStoreUrl clientCertificateKeyStorePassword clientCertificateKeyStoreType")
                    .split(" ", -1));

    /** The settings of a driver that decide whom it trusts and how it connects. */
    private static final Pattern OF_THIS = Pattern.compile(
            "(?i).*(ssl|tls|trust|keystore|certificate).*|socketFactory|socks.*|localSocket.*|.*pipe.*|credentialType");

    private static final Pattern WITH_SCHEME = Pattern.compile("[a-z]{2,}:.*");

    private final Address address;
    private final Properties properties;
    private final SSLMode mode;

    private Tls(Address address, Properties properties) {
        this.address = address;
        this.properties = properties;
        this.mode = address.isMariaDb() ? ofMariaDb() : ofMySql();
    }

    private static Set<String> ignoringCase(String... names) {
        Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        all.addAll(Set.of(names));
        return all;
    }

    /** @throws IllegalArgumentException if the driver's setting of that name asks for what the connection to the log cannot do */
    static void demandKnown(String name, String value) {
        if (OF_THIS.matcher(name).matches() && (!KNOWN.contains(name) || value.startsWith("classpath:"))) {
            throw new IllegalArgumentException("the connection to the binary log does not support the setting " + name
                    + (KNOWN.contains(name) ? " with a place that begins with classpath:" : "")
                    + ", only the driver does; leave it out of the feed's address and properties, or name a file");
        }
    }

    static void set(BinaryLogClient client, Address address, Properties properties) {
        Tls tls = new Tls(address, properties);
        client.setSSLMode(tls.mode == SSLMode.VERIFY_IDENTITY ? SSLMode.VERIFY_CA : tls.mode); // the name: see below
        client.setSslSocketFactory(tls::encrypted);
    }

    /** What is asked for. */
    SSLMode mode() {
        return mode;
    }

    static Tls of(Address address, Properties properties) {
        return new Tls(address, properties);
    }

    private SSLMode ofMariaDb() {
        return switch (said("sslMode").toLowerCase(Locale.ROOT).replace('-', '_')) {
            case "trust", "required" -> SSLMode.REQUIRED;
            case "verify_ca" -> SSLMode.VERIFY_CA;
            case "verify_full", "verify_identity", "1", "true" -> SSLMode.VERIFY_IDENTITY;
            case "" -> {
                if (!isOn("useSsl")) {
                    yield SSLMode.DISABLED;
                } else if (isOn("trustServerCertificate")) {
                    yield SSLMode.REQUIRED;
                }
                yield isOn("disableSslHostnameVerification") ? SSLMode.VERIFY_CA : SSLMode.VERIFY_IDENTITY;
            }
            default -> SSLMode.DISABLED;
        };
    }

    private SSLMode ofMySql() {
        String mode = said("sslMode").toUpperCase(Locale.ROOT);
        if (!mode.isEmpty()) {
            return SSLMode.valueOf(mode); // the driver has the same
        } else if (said("useSSL").matches("(?i)false|no")) {
            return SSLMode.DISABLED;
        } else if (isOn("verifyServerCertificate")) {
            return SSLMode.VERIFY_CA;
        }
        return isOn("requireSSL") ? SSLMode.REQUIRED : SSLMode.PREFERRED;
    }

    private String said(String... names) {
        String said = "";
        for (int i = 0; i < names.length && said.isEmpty(); i++) {
            said = address.setting(names[i], properties);
        }
        return said;
    }

    private boolean isOn(String name) {
        return said(name).matches("(?i)true|yes|1");
    }

    /** Without this, the library would verify the name that the address resolves back to. */
    private SSLSocket encrypted(Socket socket) throws SocketException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(), trusted(), null);
            SSLSocket encrypted =
                    (SSLSocket) context.getSocketFactory().createSocket(socket, address.host(), socket.getPort(), true);
            if (mode == SSLMode.VERIFY_IDENTITY) {
                SSLParameters parameters = encrypted.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                encrypted.setSSLParameters(parameters);
            }
            return encrypted;
        } catch (GeneralSecurityException | IOException e) {
            throw (SocketException) new SocketException("no encrypted connection").initCause(e);
        }
    }

    /** Null: those that the JVM is told to trust. */
    private TrustManager @Nullable [] trusted() throws GeneralSecurityException, IOException {
        if (mode != SSLMode.VERIFY_CA && mode != SSLMode.VERIFY_IDENTITY) {
            return new TrustManager[] {new Anybody()};
        }
        String certificates = said("serverSslCert");
        KeyStore store;
        if (!certificates.isEmpty()) {
            store = holding(certificates);
        } else if (!said("trustStore", "trustCertificateKeyStoreUrl").isEmpty()) {
            store = store(
                    said("trustStore", "trustCertificateKeyStoreUrl"),
                    said("trustStoreType", "trustCertificateKeyStoreType"),
                    said("trustStorePassword", "trustCertificateKeyStorePassword"));
        } else {
            return null;
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** Null: none, or those of the JVM. */
    private KeyManager @Nullable [] keys() throws GeneralSecurityException, IOException {
        String place = said("keyStore", "clientCertificateKeyStoreUrl");
        if (place.isEmpty()) {
            return null;
        }
        String password = said("keyStorePassword", "clientCertificateKeyStorePassword");
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        String ofKey = said("keyPassword");
        factory.init(
                store(place, said("keyStoreType", "clientCertificateKeyStoreType"), password),
                (ofKey.isEmpty() ? password : ofKey).toCharArray());
        return factory.getKeyManagers();
    }

    private static KeyStore store(String place, String type, String password)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(type.isEmpty() ? KeyStore.getDefaultType() : type);
        try (InputStream content = open(place)) {
            store.load(content, password.isEmpty() ? null : password.toCharArray());
        }
        return store;
    }

    private static KeyStore holding(String certificates) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream content = open(certificates)) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(content)) {
                store.setCertificateEntry(String.valueOf(store.size()), each);
            }
        }
        return store;
    }

    /** A file, an address, or the content itself. */
    private static InputStream open(String place) throws IOException {
        if (place.startsWith("-----")) {
            return new ByteArrayInputStream(place.getBytes(StandardCharsets.US_ASCII));
        }
        return WITH_SCHEME.matcher(place).matches()
                ? new URL(place).openStream()
                : Files.newInputStream(Path.of(place));
    }

    /** For modes in which nobody asks who the server is. */
    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
