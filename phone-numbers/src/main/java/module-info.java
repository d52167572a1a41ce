import org.jspecify.annotations.NullMarked;

/** E.164 keys for what people type as a phone number. */
@NullMarked
module io.github.untaken.phone {
    requires transitive io.github.untaken.core;
    requires com.google.i18n.phonenumbers.libphonenumber;
    requires static org.jspecify;

    exports io.github.untaken.phone;
}
