package io.github.untaken.memory;

import static io.github.untaken.CheckerFixture.KIND;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.CheckListener;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.text.Fold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where telling finds no memory, whatever was about to be stored is unseen. */
class FullHeapTest {
    private static final class FullHeap extends VirtualMachineError {
        private static final long serialVersionUID = 1L;
    }

    /** Fails for as many more calls as it is told to. */
    private static final class Scarcity {
        private int calls;

        void strike() {
            if (calls > 0) {
                calls--;
                throw new FullHeap();
            }
        }
    }

    private final Scarcity ofRoom = new Scarcity();
    private final Scarcity ofKeys = new Scarcity();
    private final Scarcity ofBirths = new Scarcity();
    private final List<Duration> births = new ArrayList<>();
    private final GenerationFactory factory =
            GenerationFactory.of(FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, Generation.Limits.of(100));
    private final Generations generations = new Generations(KIND, new CheckListener() {}, System::nanoTime, delay -> {
        ofBirths.strike();
        births.add(delay);
    });
    private final Set<Telling> open = new HashSet<>() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean add(Telling telling) {
            ofRoom.strike();
            return super.add(telling);
        }
    };
    private final Tellings tellings = new Tellings(generations, new OpenTellings(open, 100, 10), false, why -> {});
    private final ScarceFold fold = new ScarceFold();

    private final class ScarceFold implements Fold {
        @Override
        public String of(String text) {
            ofKeys.strike();
            return text;
        }

        @Override
        public boolean keepsPlain() {
            return true;
        }
    }

    @BeforeEach
    void serve() {
        Generation first = factory.generation(fold, 100);
        generations.serve(first, tellings.born(first));
        tellings.barrier(true);
        assertThat(generations.view().ready()).isTrue();
    }

    private void assertUnseenUntilItIsOver(Telling telling) {
        assertThat(generations.view().ready()).isFalse();
        assertThat(tellings.born(factory.generation(fold, 100)))
                .as("while it is under way")
                .isNegative();
        tellings.over(telling);
        assertThat(births).as("asked for").isNotEmpty();
        Generation next = factory.generation(fold, 100);
        generations.serve(next, tellings.born(next));
        assertThat(generations.view().ready()).isTrue();
        assertThat(open).isEmpty();
        assertThat(tellings.open()).isZero();
    }

    @Test
    void aNameWithoutRoomAmongThoseThatAreOpenIsUnseen() {
        for (int times = 1; times <= 2; times++) {
            Telling telling = new Telling();
            ofRoom.calls = times;
            tellings.tell(telling, "alice");
            assertThat(ofRoom.calls).isLessThan(times);
            ofRoom.calls = 0;
            assertUnseenUntilItIsOver(telling);
        }
    }

    /** A source that learns more of the columns tells again of what its open transactions have written. */
    @Test
    void whatIsToldOfWorkThatIsOverKeepsNoBirthWaiting() {
        Telling telling = new Telling();
        tellings.tell(telling, "alice");
        tellings.over(telling);
        tellings.tell(telling, "alic");
        assertThat(generations.living()).allMatch(one -> one.mightContain("alic"));
        assertThat(tellings.open()).isZero();
        tellings.unseen(telling);
        assertThat(generations.view().ready()).isFalse();
        assertThat(births).as("asked for").isNotEmpty();
        Generation next = factory.generation(fold, 100);
        generations.serve(next, tellings.born(next));
        assertThat(generations.view().ready()).isTrue();
        assertThat(open).isEmpty();
    }

    @Test
    void unseenWorkIsUnseenWithoutAnyRoom() {
        Telling telling = new Telling();
        ofRoom.calls = 1;
        tellings.unseen(telling);
        assertThat(ofRoom.calls).isZero();
        assertUnseenUntilItIsOver(telling);
    }

    @Test
    void aNameWhoseKeyFindsNoRoomIsUnseenWhicheverOfItsTellingItIs() {
        for (int before = 0; before < 3; before++) {
            Telling telling = new Telling();
            for (int i = 0; i < before; i++) {
                tellings.tell(telling, "name" + i);
            }
            assertThat(generations.view().ready()).isTrue();
            ofKeys.calls = 1;
            tellings.tell(telling, "alice");
            tellings.tell(telling, "bob"); // there is room again, and it changes nothing
            assertUnseenUntilItIsOver(telling);
        }
    }

    @Test
    void aCommittedNameThatFindsNoRoomEndsTheTrustEvenIfNothingMoreCanBeSaid() {
        ofKeys.calls = 1;
        ofBirths.calls = 1;
        try {
            tellings.committed("alice");
        } catch (FullHeap e) {
            // For whoever heard of it to deal with.
        }
        assertThat(ofBirths.calls).as("it was tried").isZero();
        assertThat(generations.view().ready()).isFalse();
    }
}
