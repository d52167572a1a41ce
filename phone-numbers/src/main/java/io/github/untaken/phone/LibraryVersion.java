package io.github.untaken.phone;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which libphonenumber is at work: its code and its numbering plans come in one jar, under one version. */
final class LibraryVersion {
    private static final String CLASS = PhoneNumberUtil.class.getName().replace('.', '/') + ".class";

    /** Maven puts it into the jar. Builds that pack everything into one jar keep it or leave it out. */
    private static final String PROPERTIES =
            "META-INF/maven/com.googlecode.libphonenumber/libphonenumber/pom.properties";

    /** If the version is unknown, this differs in each process, since the plans may differ. */
    static final String TEXT = read(PhoneNumberUtil.class.getResource("PhoneNumberUtil.class"))
            .orElseGet(() -> "unknown " + UUID.randomUUID());

    private LibraryVersion() {}

    /** Read beside the class itself, since another version may be elsewhere on the class path. */
    static Optional<String> read(@Nullable URL library) {
        if (library == null || !library.toExternalForm().endsWith(CLASS)) {
            return Optional.empty();
        }
        String address = library.toExternalForm();
        String place = address.substring(0, address.length() - CLASS.length());
        Properties properties = new Properties();
        try (InputStream in = new URL(library, place + PROPERTIES).openStream()) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.ofNullable(properties.getProperty("version")).filter(version -> !version.isBlank());
    }
}
