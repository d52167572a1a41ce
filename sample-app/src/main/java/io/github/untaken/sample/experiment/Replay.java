package io.github.untaken.sample.experiment;

import io.github.untaken.sample.experiment.ExperimentChecks.Check;
import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.sample.reads.ProcessIo;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What one mode of an experiment has answered and read so far, round by round. Used by one thread. */
final class Replay {
    private final Mode mode;
    private final CheckReads counter;
    private final Function<Check, AnswerClass> how;
    private final List<Check> checks = new ArrayList<>();
    private final List<AnswerClass> answers = new ArrayList<>();
    private final List<Double> rounds = new ArrayList<>();
    private CheckReads.Sum reads = CheckReads.Sum.NONE;
    private Optional<ProcessIo> io = Optional.of(ProcessIo.NONE);
    private long others;
    private CheckReads.Sum readsBefore = CheckReads.Sum.NONE;
    private Optional<ProcessIo> ioBefore = Optional.empty();
    private int askedBefore;
    private long begun;

    /** @param counter what its store reads are counted by */
    Replay(Mode mode, CheckReads counter, Function<Check, AnswerClass> how) {
        this.mode = mode;
        this.counter = counter;
        this.how = how;
    }

    Mode mode() {
        return mode;
    }

    void begin() {
        askedBefore = answers.size();
        readsBefore = counter.sum();
        ioBefore = ProcessIo.now();
        begun = System.nanoTime();
    }

    void ask(Check check) {
        answers.add(how.apply(check));
        checks.add(check);
    }

    void end() {
        long nanos = System.nanoTime() - begun;
        if (answers.size() > askedBefore) {
            rounds.add((double) nanos / (answers.size() - askedBefore));
        }
        reads = reads.plus(counter.sum().minus(readsBefore));
        Optional<ProcessIo> now = ProcessIo.now();
        io = io.flatMap(sum -> ioBefore.flatMap(before -> now.map(after -> sum.plus(after.minus(before)))));
    }

    /** So many checks of others there were in this round. */
    void others(long checks) {
        others += checks;
    }

    void forEach(BiConsumer<Check, AnswerClass> told) {
        for (int i = 0; i < answers.size(); i++) {
            told.accept(checks.get(i), answers.get(i));
        }
    }

    Run run() {
        Map<AnswerClass, Integer> classes = new EnumMap<>(AnswerClass.class);
        answers.forEach(answer -> classes.merge(answer, 1, Integer::sum));
        return new Run(mode, reads, others, List.copyOf(rounds), classes, io);
    }
}
