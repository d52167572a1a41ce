package io.github.untaken.sample.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.phone.PhoneNumberNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MadeUpAccountsTest {
    private static final int MANY = 300_000;

    @Test
    void noTwoAreEqual() {
        Set<String> names = new HashSet<>();
        Set<String> phones = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            names.add(MadeUpAccounts.username(i));
            phones.add(MadeUpAccounts.phone(i));
        }
        for (int i = MadeUpAccounts.NAMES - MANY; i < MadeUpAccounts.NAMES; i++) {
            names.add(MadeUpAccounts.username(i));
        }
        assertThat(names.size()).isEqualTo(2 * MANY);
        assertThat(phones.size()).isEqualTo(MANY);
    }

    @Test
    void eachIsItsOwnKeyAndMayBeRegistered() {
        IdentifierNormalizer usernames = UsernameNormalizer.defaults();
        IdentifierNormalizer phones = PhoneNumberNormalizer.forRegion("CN");
        ReservedNames reserved = ReservedNames.defaults().folded(usernames);
        for (int i = 0; i < MANY; i += 100) {
            String name = MadeUpAccounts.username(i);
            assertThat(name.length()).isBetween(8, 20);
            assertThat(usernames.key(name)).isEqualTo(name);
            assertThat(usernames.rejection(name, name)).isEmpty();
            assertThat(reserved.contains(name)).isFalse();
            String phone = MadeUpAccounts.phone(i);
            assertThat(phones.key(phone)).isEqualTo(phone);
            assertThat(phones.rejection(phone, phone)).isEmpty();
        }
    }

    @Test
    void isFoundByItsNameAndByItsNumber() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < MANY / 20; i++) {
            int index = i < 2 ? i * (MadeUpAccounts.NAMES - 1) : random.nextInt(MadeUpAccounts.NAMES);
            String name = MadeUpAccounts.username(index);
            assertThat(MadeUpAccounts.indexOf(name)).isEqualTo(index);
            assertThat(MadeUpAccounts.indexOfPhone(MadeUpAccounts.phone(index))).isEqualTo(index);
            // The beginning of a name is another one, or none.
            String shorter = name.substring(0, name.length() - 1);
            int other = MadeUpAccounts.indexOf(shorter);
            assertThat(other < 0 || MadeUpAccounts.username(other).equals(shorter))
                    .isTrue();
        }
        for (String none :
                List.of("", ".", "zoe", "ada.adler", "ada.adler01", "ada.adler10000", "Ada.adler1", "ada-adler1")) {
            assertThat(MadeUpAccounts.indexOf(none)).as(none).isEqualTo(-1);
        }
        for (String none : List.of("", "+86", "+8610000000000", "+8613099999999", "+49301234567")) {
            assertThat(MadeUpAccounts.indexOfPhone(none)).as(none).isEqualTo(-1);
        }
    }
}
