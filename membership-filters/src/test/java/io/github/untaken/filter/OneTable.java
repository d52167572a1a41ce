package io.github.untaken.filter;

import java.util.function.IntFunction;

/** Memory for one table and no more, so that a filter stays as crowded as it is. */
final class OneTable implements IntFunction<long[]> {
    private boolean given;

    @Override
    public long[] apply(int length) {
        if (given) {
            throw new OutOfMemoryError("on purpose");
        }
        given = true;
        return new long[length];
    }
}
