package io.github.untaken.benchmarks.plots;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures and draws what needs no figures file. */
public final class Plots {
    private Plots() {}

    /**
     * Writes {@code rate-against-k.svg}, {@code rate-against-n.svg}, {@code rate-against-zeros.svg} and {@code
     * load-against-slots.svg}.
     */
    public static void draw(Path directory) throws IOException {
        BloomRates rates = new BloomRates();
        Files.writeString(
                directory.resolve("rate-against-k.svg"), rates.againstProbes().svg());
        Files.writeString(
                directory.resolve("rate-against-n.svg"), rates.againstEntries().svg());
        Files.writeString(
                directory.resolve("rate-against-zeros.svg"),
                rates.againstZeros().svg());
        Files.writeString(
                directory.resolve("load-against-slots.svg"),
                new BucketLoads().chart().svg());
    }
}
