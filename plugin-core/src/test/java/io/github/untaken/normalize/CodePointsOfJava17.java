package io.github.untaken.normalize;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.IntStream;

/** The code points that Unicode 13, the version of Java 17, has assigned; kept in a file as ranges of hexadecimal numbers. */
final class CodePointsOfJava17 {

    private CodePointsOfJava17() {}

    static int[] all() {
        try (InputStream in = CodePointsOfJava17.class.getResourceAsStream("code-points-of-java-17.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .flatMapToInt(CodePointsOfJava17::range)
                    .toArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IntStream range(String line) {
        String[] ends = line.split("-", -1);
        return IntStream.rangeClosed(Integer.parseInt(ends[0], 16), Integer.parseInt(ends[ends.length - 1], 16));
    }
}
