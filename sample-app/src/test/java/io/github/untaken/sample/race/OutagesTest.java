package io.github.untaken.sample.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.experiment.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutagesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Turn turn = new Turn();
    private final List<String> done = new ArrayList<>();
    private final List<Outages> made = new ArrayList<>();
    private boolean running = true;
    private boolean opens = true;
    private long now = Long.MAX_VALUE - 1_000_000_000; // the clock may well overflow

    private final Outages.Switch database = new Outages.Switch() {
        @Override
        public boolean stop() {
            done.add(turn.holder().orElse("") + " at " + seconds());
            boolean ran = running;
            running = false;
            return ran;
        }

        @Override
        public boolean start() {
            done.add(turn.holder().orElse("") + " at " + seconds());
            running = opens;
            return opens;
        }
    };

    private final long begun = now;

    private long seconds() {
        return Math.round((now - begun) / 1e9);
    }

    @AfterEach
    void end() {
        made.forEach(Outages::close);
    }

    private Outages outages(Duration every) {
        Outages outages = new Outages(every, database, turn, () -> now);
        made.add(outages);
        return outages;
    }

    private void pass(Outages outages, int seconds, boolean watched) {
        for (int tenth = 0; tenth < 10 * seconds; tenth++) {
            if (watched && tenth % 5 == 0) {
                outages.watch();
            }
            now += 100_000_000;
            outages.tick();
        }
    }

    private static @Nullable Object figure(Outages outages, String name) {
        return Objects.requireNonNull(outages.json()).get(name);
    }

    @Test
    void stopsTheDatabaseForFiveSecondsOnceAMinute() {
        Outages outages = outages(MINUTE);
        pass(outages, 150, true);
        assertThat(done)
                .containsExactly(
                        "stop at 15", "start at 20", "stop at 75", "start at 80", "stop at 135", "start at 140");
        assertThat(turn.holder()).isEmpty();
        assertThat(running).isTrue();
    }

    @Test
    void announcesWhenItBeginsAndWhenItEnds() {
        Outages outages = outages(MINUTE);
        pass(outages, 12, true);
        assertThat(figure(outages, "nextInSeconds")).isEqualTo(3L);
        assertThat(figure(outages, "endsInSeconds")).isNull();
        pass(outages, 5, true);
        assertThat(figure(outages, "nextInSeconds")).isNull();
        assertThat(figure(outages, "endsInSeconds")).isEqualTo(3L);
        assertThat(outages(Duration.ZERO).json()).isNull();
    }

    @Test
    void doesNothingWhileNobodyLooks() {
        Outages outages = outages(MINUTE);
        pass(outages, 200, false);
        assertThat(done).isEmpty();
        Outages never = outages(Duration.ZERO);
        pass(never, 200, true);
        assertThat(done).isEmpty();
    }

    @Test
    void bringsTheDatabaseBackThoughNobodyLooksAnyMore() {
        Outages outages = outages(MINUTE);
        pass(outages, 16, true);
        assertThat(running).isFalse();
        pass(outages, 200, false);
        assertThat(running).isTrue();
        assertThat(done).hasSize(2);
    }

    @Test
    void triesAgainUntilTheDatabaseOpens() {
        Outages outages = outages(MINUTE);
        pass(outages, 16, true);
        opens = false;
        pass(outages, 10, true);
        assertThat(running).isFalse();
        opens = true;
        pass(outages, 1, false);
        assertThat(running).isTrue();
    }

    @Test
    void waitsForWhoeverHasTheTurn() {
        Outages outages = outages(MINUTE);
        assertThat(turn.take("experiment")).isTrue();
        pass(outages, 100, true);
        assertThat(done).isEmpty();
        turn.leave();
        pass(outages, 1, true);
        assertThat(done).containsExactly("stop at 100");
        assertThat(turn.take("experiment")).isTrue();
        pass(outages, 20, true);
        assertThat(running).as("not started while somebody has the turn").isFalse();
        turn.leave();
        pass(outages, 1, true);
        assertThat(running).isTrue();
    }

    @Test
    void whatSomebodyElseHasStoppedStaysStopped() {
        Outages outages = outages(MINUTE);
        running = false;
        pass(outages, 60, true);
        assertThat(running).isFalse();
    }
}
