package io.github.untaken.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.normalize.EmailNormalizer;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Functions that make other keys have other marks. */
class NormalizerMarkTest {

    /** The key function for names, but for one text. */
    private record Except(String text, String replaced) implements IdentifierNormalizer {
        @Override
        public String key(String value) {
            return value.equals(text) ? replaced : UsernameNormalizer.defaults().key(value);
        }

        @Override
        public Optional<String> rejection(String value, String key) {
            return Optional.empty();
        }
    }

    @Test
    void theSameFunctionHasTheSameMark() {
        assertThat(NormalizerMark.of("a", UsernameNormalizer.defaults()))
                .isEqualTo(NormalizerMark.of("a", UsernameNormalizer.defaults()))
                .isEqualTo(NormalizerMark.of("a", new Except("no such text", "")));
    }

    @Test
    void theNameCounts() {
        assertThat(NormalizerMark.of("a", UsernameNormalizer.defaults()))
                .isNotEqualTo(NormalizerMark.of("b", UsernameNormalizer.defaults()));
    }

    @Test
    void whatIsMadeOfOneCharacterCounts() {
        String usual = NormalizerMark.of("a", UsernameNormalizer.defaults());
        assertThat(NormalizerMark.of("a", new Except("\u0131", "changed"))).isNotEqualTo(usual);
        assertThat(NormalizerMark.of("a", new Except("\ufb01", "changed"))).isNotEqualTo(usual);
        assertThat(NormalizerMark.of("a", new Except("\ud800", "\ud801"))).isNotEqualTo(usual);
    }

    @Test
    void settingsOfMailCount() {
        EmailNormalizer usual = EmailNormalizer.defaults();
        assertThat(NormalizerMark.of("a", usual.ignoringTags())).isNotEqualTo(NormalizerMark.of("a", usual));
        assertThat(NormalizerMark.of("a", usual.ignoringDots("example.com")))
                .isNotEqualTo(NormalizerMark.of("a", usual));
    }
}
