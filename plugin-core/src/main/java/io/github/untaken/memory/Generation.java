package io.github.untaken.memory;

import io.github.untaken.filter.CuckooImage;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.text.Fold;
import io.github.untaken.text.Letters;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One picture of a kind: the stored values of one scan and whatever was told since it was born, the names told, and the names proved
 * absent. Nothing leaves the first two; forgetting is the next generation. Any thread may ask, tell and learn.
 *
 * <p>All of it is about folds: texts that the database holds equal have one, see {@link Fold}.
 */
public final class Generation {
    private final Fold fold;
    private final KeyHasher hasher;
    /** From which a kept secret makes the key of the hasher; null if the key was drawn and is known to nobody. */
    private final @Nullable Salt salt;

    private final StoredValues values;
    private final Limits limits;
    private final ToldHashes told;
    private final Whitelist whitelist;
    private volatile boolean stale;

    /**
     * How much a generation keeps beside its filter.
     *
     * @param whitelist folds on the whitelist
     * @param told names told of, from which on nothing is learnt any more
     * @param overflow hashes that the filter refused
     */
    public record Limits(long whitelist, int told, int overflow) {
        /** As they are but for the whitelist, which an application sets. */
        public static Limits of(long whitelist) {
            return new Limits(whitelist, ToldHashes.MOST, StoredValues.MAX_OVERFLOW);
        }
    }

    /** An empty one. */
    public Generation(Fold fold, KeyHasher hasher, MembershipFilter filter, Limits limits) {
        this(fold, hasher, null, new StoredValues(filter, limits.overflow()), limits);
    }

    private Generation(Fold fold, KeyHasher hasher, @Nullable Salt salt, StoredValues values, Limits limits) {
        this.fold = fold;
        this.hasher = hasher;
        this.salt = salt;
        this.values = values;
        this.limits = limits;
        this.told = new ToldHashes(limits.told());
        this.whitelist = new Whitelist(limits.whitelist());
    }

    /** An empty one that can be kept in a file. */
    static Generation keepable(Fold fold, KeyHasher hasher, Salt salt, MembershipFilter filter, Limits limits) {
        return new Generation(fold, hasher, salt, new StoredValues(filter, limits.overflow()), limits);
    }

    /** One that was kept. */
    static Generation restored(
            Fold fold, KeyHasher hasher, GenerationImage image, MembershipFilter filter, Limits limits) {
        StoredValues values = new StoredValues(filter, limits.overflow());
        values.addOverflow(image.overflow());
        values.variants().addAll(image.variants());
        values.scanned();
        return new Generation(fold, hasher, image.salt(), values, limits);
    }

    /** One with the same stored values, told of once for both, of which no name was told and none is proved absent. */
    public Generation renewed() {
        return new Generation(fold, hasher, salt, values, limits);
    }

    /** In a form that can be kept, if both filter and hasher have one. */
    Optional<Keepable> keepable() {
        Salt from = salt;
        if (from == null) {
            return Optional.empty();
        }
        synchronized (values) { // where nobody adds
            GenerationImage beside = new GenerationImage(
                    from,
                    fold instanceof Letters letters ? Optional.of(letters) : Optional.empty(),
                    values.variants().fingerprints(),
                    values.overflow());
            return CuckooImage.of(values.filter()).map(tables -> new Keepable(beside, tables));
        }
    }

    /** All that was added before it was asked for. */
    record Keepable(GenerationImage beside, CuckooImage tables) {}

    // ---------------------------------------------------------------- asked

    /** By which texts are made equal here. */
    public Fold fold() {
        return fold;
    }

    /** Of a text's fold. */
    public long hash(String text) {
        return hasher.hash(fold.of(text));
    }

    /**
     * The same of a text of 8 to 24 characters that is {@linkplain Fold#keepsPlain plain}, see {@link KeyHasher#hash(long, long, long,
     * int)}.
     */
    public long hash(long first, long middle, long last, int length) {
        return hasher.hash(first, middle, last, length);
    }

    public boolean mightContain(String text) {
        return mightContain(hash(text));
    }

    public boolean mightContain(long hash) {
        return values.mightContain(hash);
    }

    public void mightContainAll(long[] hashes, boolean[] results) {
        values.mightContainAll(hashes, results);
    }

    /** Whether this very text was proved absent, and nobody has told of its fold since. */
    public boolean isProvedAbsent(String text) {
        return whitelist.has(text, fold.of(text));
    }

    /** Whether the text may be stored, for all that is known. */
    public boolean mayHave(String text) {
        return mightContain(text) && !isProvedAbsent(text);
    }

    /** Whether a stored value that is not spelt like its key has this one. */
    public boolean hasVariant(String key) {
        return values.variants().contains(hasher.hash(key));
    }

    // ---------------------------------------------------------------- told

    /**
     * A statement that may store this text is about to be sent, or was committed by somebody. Told set, filter, whitelist, in this order:
     * see {@link Whitelist}. False if the filter has no room.
     */
    public boolean tell(String text) {
        String folded = fold.of(text);
        long hash = hasher.hash(folded);
        told.add(hash);
        boolean room = values.add(hash);
        VarHandle.fullFence(); // where there is no entry, nothing is locked that would order what was told before the
        // look for one
        whitelist.forget(folded);
        return room;
    }

    /** A read has found this text, of which nobody may have told. */
    public void found(String text) {
        add(text);
        whitelist.forget(fold.of(text));
    }

    /** This text is stored now; false if the filter has no room. */
    public boolean add(String text) {
        return values.store(hash(text));
    }

    /** A stored value that is not spelt like its key has this one. */
    public void noteVariant(String key) {
        values.variants().add(hasher.hash(key));
    }

    /** The scan has ended. */
    public void scanned() {
        values.scanned();
    }

    /**
     * The store did not have this text when a read looked that began while this generation served. Remembered, unless its fold was told
     * of, for then the row may be on its way; that is for the next generation to learn. What the filter knows needs no entry, or whoever
     * mentions enough names would drive the others out.
     */
    public void learnAbsence(String text) {
        String folded = fold.of(text);
        long hash = hasher.hash(folded);
        if (!values.mightContain(hash)) {
            return;
        }
        whitelist.learn(text, folded, () -> told.contains(hash));
        if (told.contains(hash)) {
            stale = true;
        }
    }

    public boolean wasTold(String text) {
        return told.contains(hash(text));
    }

    public void forgetWhitelist() {
        whitelist.clear();
    }

    // ---------------------------------------------------------------- measured

    /** Whether a name that was told is not there, or many were told: time for one that shares the filter and begins anew. */
    public boolean wantsRenewal() {
        return stale || told.isHalfFull();
    }

    /** Whether it is time for a larger filter, or for one without what has gone. */
    public boolean isOutgrown() {
        return values.isOutgrown();
    }

    public long entries() {
        return values.entries();
    }

    /** Names told of since the birth. */
    public int told() {
        return told.size();
    }

    public long whitelisted() {
        return whitelist.size();
    }

    public int variants() {
        return values.variants().size();
    }

    public long bytes() {
        return values.bytes() + told.bytes();
    }
}
