package io.github.untaken.phone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import io.github.untaken.spi.IdentifierNormalizer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of a phone number depends on the library's numbering plans, and so does the name. */
class NormalizerNameTest {
    private static final String PROPERTIES =
            "META-INF/maven/com.googlecode.libphonenumber/libphonenumber/pom.properties";

    @TempDir
    private Path folder;

    @Test
    void tellsTheRegionAndTheLibrarysVersion() {
        String version = library().getName().replaceAll("libphonenumber-(.*)\\.jar", "$1");
        assertThat(PhoneNumberNormalizer.forRegion("de").name())
                .isEqualTo(PhoneNumberNormalizer.forRegion("DE").name())
                .contains("DE")
                .endsWith(" " + version)
                .isNotEqualTo(PhoneNumberNormalizer.forRegion("FR").name())
                .isNotEqualTo(PhoneNumberNormalizer.international().name());
    }

    @Test
    void changesWithTheLibrary() throws Exception {
        String now = PhoneNumberNormalizer.international().name();
        assertThat(nameWith(copy("same.jar", read()))).isEqualTo(now);
        assertThat(nameWith(copy("next.jar", "version=99.0.1"))).isEqualTo(now.replaceAll("[^ ]+$", "99.0.1"));
    }

    /** What another process has kept may be of other plans. */
    @Test
    void isLikeNoOtherWhereTheVersionIsUnknown() throws Exception {
        Path jar = copy("none.jar", null);
        assertThat(nameWith(jar)).isNotEqualTo(nameWith(jar));
        Path blank = copy("blank.jar", "version= ");
        assertThat(nameWith(blank)).isNotEqualTo(nameWith(blank));
        // The class is of this jar; what another one says of itself does not count.
        assertThat(nameWith(jar, library().toPath()))
                .isNotEqualTo(nameWith(jar, library().toPath()));
    }

    private static File library() {
        return new File(PhoneNumberUtil.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    private static String read() throws IOException {
        try (JarFile jar = new JarFile(library());
                InputStream in = jar.getInputStream(jar.getJarEntry(PROPERTIES))) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
        }
    }

    /** The library with other properties, or without any. */
    private Path copy(String name, @Nullable String properties) throws IOException {
        Path copy = folder.resolve(name);
        try (JarFile jar = new JarFile(library());
                OutputStream file = Files.newOutputStream(copy);
                JarOutputStream out = new JarOutputStream(file)) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.getName().equals(PROPERTIES)) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    try (InputStream in = jar.getInputStream(entry)) {
                        in.transferTo(out);
                    }
                }
            }
            if (properties != null) {
                out.putNextEntry(new JarEntry(PROPERTIES));
                out.write(properties.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            }
        }
        return copy;
    }

    /** As another process with these jars in the library's place has it. */
    private static String nameWith(Path... libraries) throws Exception {
        List<URL> path = new ArrayList<>();
        for (Path library : libraries) {
            path.add(library.toUri().toURL());
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!new File(entry).equals(library())) {
                path.add(new File(entry).toURI().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Object normalizer = loader.loadClass(PhoneNumberNormalizer.class.getName())
                    .getMethod("international")
                    .invoke(null);
            return (String) loader.loadClass(IdentifierNormalizer.Named.class.getName())
                    .getMethod("name")
                    .invoke(normalizer);
        }
    }
}
