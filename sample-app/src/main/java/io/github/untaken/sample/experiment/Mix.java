package io.github.untaken.sample.experiment;

/**
 * How often each sort of check is drawn: whole numbers from 0 to 100 that may add up to anything but 0.
 *
 * @param free names nobody has
 * @param taken names somebody has, by chance
 * @param typed the beginnings of a name as somebody types it, letter by letter; every second name is taken in the end
 * @param hot a few taken names that everybody tries
 * @param phones phone numbers, every second one taken
 */
public record Mix(int free, int taken, int typed, int hot, int phones) {
    public static final int MOST = 100;
    public static final Mix DEFAULT = new Mix(40, 10, 35, 5, 10);

    public int sum() {
        return free + taken + typed + hot + phones;
    }
}
