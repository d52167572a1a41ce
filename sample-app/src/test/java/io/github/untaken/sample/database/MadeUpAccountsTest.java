package io.github.untaken.sample.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.phone.PhoneNumberNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.HashSet;
import java.util.Set;
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
}
