package io.github.untaken.normalize;

import java.util.BitSet;

/** Parses tables of characters written in the source. */
final class CodePoints {
    private CodePoints() {}

    /** @param ranges such as {@code 41-5a 61-7a}, in hexadecimal */
    static BitSet of(String ranges) {
        BitSet points = new BitSet();
        for (String range : ranges.split(" ", -1)) {
            String[] ends = range.split("-", -1);
            points.set(Integer.parseInt(ends[0], 16), Integer.parseInt(ends[ends.length - 1], 16) + 1);
        }
        return points;
    }
}
