import org.jspecify.annotations.NullMarked;

/** E.164 keys for what people type as a phone number. */
@NullMarked
@SuppressWarnings("requires-automatic") // libphonenumber has no descriptor, but a name it reserved in its manifest
module io.github.untaken.phone {
    requires transitive io.github.untaken.core;
    requires com.google.i18n.phonenumbers.libphonenumber;
    requires static org.jspecify;

    exports io.github.untaken.phone;
}
