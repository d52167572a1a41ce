package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.untaken.spi.IdentifierNormalizer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stranger can hand over as a name. What is done for the square of its length takes minutes here, and otherwise a second. */
class LongTextsTest {
    private static final Duration FAR_LESS = Duration.ofSeconds(30);

    private static final List<IdentifierNormalizer> ALL = List.of(
            UsernameNormalizer.defaults(),
            UsernameNormalizer.builder().accentInsensitive().build(),
            EmailNormalizer.defaults().ignoringTags().ignoringDots("mail.example"));

    /**
     * Marks that change places; two that decompose into several; a letter whose small form depends on what follows; vowel signs that join
     * one another from Unicode 16 on.
     */
    @ParameterizedTest
    @CsvSource({
        "\u0315,60000",
        "\u0F73,60000",
        "\u0344,60000",
        "\u03A3,60000",
        "\uD81B\uDD67,300000",
        "\uD805\uDD1E,300000",
        "\uD804\uDFC2,300000"
    })
    void aKeyTakesATimeThatGrowsAsTheText(String unit, int length) {
        String half = unit.repeat(length / unit.length());
        String text = "a" + half + "\u0334" + half + "\u0334".repeat(60_000) + "@mail.example";
        assertTimeoutPreemptively(FAR_LESS, () -> {
            for (IdentifierNormalizer normalizer : ALL) {
                String key = normalizer.key(text);
                assertThat(normalizer.key(key).equals(key)).isTrue();
                assertThat(normalizer.rejection(text, key)).isPresent();
            }
        });
    }

    /** Something invisible keeps the marks apart, and goes when the domain is written in ASCII. */
    @ParameterizedTest
    @ValueSource(strings = {"\u034F", "\u00AD", "\uFE00"})
    void soDoesThatOfAnAddressWithALongDomain(String invisible) {
        String domain = "a" + "\u0315".repeat(100_000) + invisible + "\u0334".repeat(100_000) + ".example";
        assertTimeoutPreemptively(FAR_LESS, () -> {
            String key = EmailNormalizer.defaults().key("a@" + domain);
            assertThat(EmailNormalizer.defaults().key(key).equals(key)).isTrue();
        });
    }
}
