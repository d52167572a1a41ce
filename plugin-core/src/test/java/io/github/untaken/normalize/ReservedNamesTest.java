package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReservedNamesTest {

    private static final UsernameNormalizer NAMES = UsernameNormalizer.defaults();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admin",
                "ADMIN",
                "\uFF41dmin",
                "\u0130nfo",
                "postmaster",
                "list-request",
                "uucp",
                "www",
                "null",
                "well-known"
            })
    void reservesWhatASiteNeedsItself(String text) {
        assertThat(ReservedNames.defaults().folded(NAMES).contains(NAMES.key(text)))
                .isTrue();
    }

    @Test
    void reservesNoPerson() {
        ReservedNames names = ReservedNames.defaults().folded(NAMES);
        for (String person : List.of("alice", "bob", "maria", "chen", "mohammed", "webb", "newman", "testa", "mark")) {
            assertThat(names.contains(person)).as(person).isFalse();
        }
    }

    /** docs/decisions/0048 says why. */
    @Test
    void reservesWhatPeopleAreCalledOnlyWhereOthersWouldTrustOrConnectToIt() {
        ReservedNames names = ReservedNames.defaults().folded(NAMES);
        assertThat(List.of(
                        "nil",
                        "nan",
                        "ping",
                        "data",
                        "edit",
                        "my",
                        "noone",
                        "toor",
                        "sudo",
                        "page",
                        "n\u00e0n",
                        "m\u1ef9"))
                .noneMatch(name -> names.contains(NAMES.key(name)));
        assertThat(List.of(
                        "guest", "root", "host", "list", "sales", "jobs", "pop", "bot", "you", "self", "null", "none",
                        "void"))
                .allMatch(name -> names.contains(NAMES.key(name)));
    }

    @Test
    void listsEachDefaultNameAsItsOwnKey() {
        ReservedNames names = ReservedNames.defaults();
        assertThat(names.size()).isBetween(800, 1300);
        assertThat(names.folded(NAMES).size()).isEqualTo(names.size());
        assertThat(names.contains("# Names nobody may register by default")).isFalse();
        assertThat(names.contains("")).isFalse();
    }

    @Test
    void comparesKeysOnceFolded() {
        ReservedNames typed = ReservedNames.of(List.of("Boss", "ALICE"));
        assertThat(typed.contains("boss")).isFalse();
        assertThat(typed.folded(NAMES).contains("boss")).isTrue();
        assertThat(typed.folded(NAMES).folded(NAMES).contains("alice")).isTrue();
        assertThat(typed.folded(NAMES).contains("bob")).isFalse();
    }

    @Test
    void foldsTheSameWayInTurkish() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(ReservedNames.of(List.of("INFO")).folded(NAMES).contains("info"))
                    .isTrue();
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "admin, admin",
        "adm1n, admin",
        "ad.m.in, admin",
        "\u00e1dmin, admin",
        "\u00fcser, user",
        "alice,",
        "administer,",
    })
    void saysWhichNameItIsOrIsLike(String key, String name) {
        assertThat(ReservedNames.defaults().folded(NAMES).like(key)).isEqualTo(Optional.ofNullable(name));
    }

    @Test
    void namesTheSameOfSeveralEachTimeAndFirstTheTextItself() {
        List<String> alike = List.of("ro.ot", "root", "r.oot", "roo.t");
        for (int i = 0; i < alike.size(); i++) {
            List<String> order = new ArrayList<>(alike);
            Collections.rotate(order, i);
            ReservedNames names = ReservedNames.of(order).folded(NAMES);
            assertThat(names.like("r\u00f6ot")).contains("r.oot");
            assertThat(alike).allSatisfy(name -> assertThat(names.like(name)).contains(name));
        }
    }

    @Test
    void nothingIsLikeANameThatIsComparedExactly() {
        ReservedNames names = ReservedNames.of(List.of("boss")).exactly().folded(NAMES);
        assertThat(names.like("boss")).contains("boss");
        assertThat(names.like("b.oss")).isEmpty();
    }

    @Test
    void keepsACopyOfItsNames() {
        var source = new java.util.ArrayList<>(List.of("boss"));
        ReservedNames names = ReservedNames.of(source);
        source.add("alice");
        assertThat(names.contains("alice")).isFalse();
    }

    @Test
    void joinsTwoLists() {
        ReservedNames both = ReservedNames.of(List.of("boss")).and(ReservedNames.of(List.of("chief")));
        assertThat(both.contains("boss")).isTrue();
        assertThat(both.contains("chief")).isTrue();
        assertThat(both.size()).isEqualTo(2);
    }

    @Test
    void reservesNothingIfNoneIsWanted() {
        assertThat(ReservedNames.none().folded(NAMES).contains("admin")).isFalse();
    }
}
