package io.github.untaken.jpa.soak;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The truth about each name, exactly: registered, free, or being changed by the one thread that owns it. Every change
 * raises a version, so that a check can tell whether a name was registered all the time.
 */
final class NameBook {
    private static final int BUSY = 1;
    private static final int REGISTERED = 2;
    private static final int VERSION = 4;

    private final String prefix;
    private final AtomicLongArray entries;
    private final AtomicReferenceArray<String> lastChange;

    NameBook(String prefix, int names) {
        this.prefix = prefix;
        this.entries = new AtomicLongArray(names);
        this.lastChange = new AtomicReferenceArray<>(names);
    }

    int size() {
        return entries.length();
    }

    String name(int number) {
        return prefix + number;
    }

    boolean isRegistered(int number) {
        return (entries.get(number) & REGISTERED) != 0;
    }

    /** From now on no answer about the name can be judged. */
    void busy(int number) {
        entries.set(number, entries.get(number) | BUSY);
    }

    /** The name's owner knows the truth again. */
    void settle(int number, boolean registered, String change) {
        lastChange.set(number, change);
        long version = entries.get(number) & -VERSION;
        entries.set(number, version + VERSION + (registered ? REGISTERED : 0));
    }

    /** What a failure tells of the name. */
    String history(int number) {
        return name(number) + ", last change: " + lastChange.get(number);
    }

    /** To be asked before a check, and given to {@link #wasRegisteredSince} after it. */
    long look(int number) {
        return entries.get(number);
    }

    boolean wasRegisteredSince(int number, long look) {
        return (look & (REGISTERED | BUSY)) == REGISTERED && entries.get(number) == look;
    }
}
