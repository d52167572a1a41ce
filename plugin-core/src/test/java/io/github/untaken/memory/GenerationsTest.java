package io.github.untaken.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Obstacle;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.text.Letters;
import org.junit.jupiter.api.Test;

class GenerationsTest {
    private final Generations generations =
            new Generations(IdentifierKind.USERNAME, new CheckListener() {}, () -> 0, delay -> {});

    /** A scan mends the one and not the other: whoever reads of the first alone waits in vain. */
    @Test
    void whatNoScanMendsStaysTheReasonWhateverIsNoticedBeside() {
        generations.raise(Obstacle.LOG_NOT_FOLLOWED, "the user may not read the column");
        generations.distrust("the definition of account has changed");
        assertThat(generations.view().reason()).isEqualTo("the user may not read the column");
        generations.raise(Obstacle.LOG_NOT_FOLLOWED, "there is no publication");
        assertThat(generations.view().reason()).isEqualTo("there is no publication");
        generations.lift(Obstacle.LOG_NOT_FOLLOWED);
        generations.distrust("the definition of account has changed");
        assertThat(generations.view().reason()).isEqualTo("the definition of account has changed");
    }

    /** However complete it is: what is written meanwhile may be unheard. */
    @Test
    void aGenerationThatIsBornWhileAnObstacleStandsDoesNotAnswer() {
        generations.raise(Obstacle.OTHER_WRITER, "another process writes");
        Generation born = GenerationFactory.of(FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, Generation.Limits.of(10))
                .generation(Letters.none(""), 10);
        generations.serve(born, generations.list(born));
        assertThat(generations.serves(born)).isFalse();
        assertThat(generations.view().reason()).isEqualTo("another process writes");
    }
}
