package io.github.untaken.memory;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.filter.CuckooImage;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.text.Fold;
import io.github.untaken.text.Letters;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What memory knows of a kind after one scan: the stored values the scan found and those told since, the names it was
 * told of, and the names proved absent. Nothing is ever removed from the first two; only the next generation forgets.
 * Thread-safe.
 *
 * <p>Everything is kept by fold: texts that the database holds equal share one, see {@link Fold}.
 */
public final class Generation {
    private final Fold fold;
    private final boolean keepsPlain;
    private final KeyHasher hasher;
    /** The hasher's key is derived from it and a kept secret; null if the key is random and kept nowhere. */
    private final @Nullable Salt salt;

    private final StoredValues values;
    private final Limits limits;
    private final ToldHashes told;
    private final Whitelist whitelist;
    private volatile boolean stale;

    /**
     * How much a generation keeps beside its filter.
     *
     * @param whitelist most folds on the whitelist
     * @param told most names told; beyond that, no absence is learnt any more
     * @param overflow most hashes kept because the filter refused them
     */
    public record Limits(long whitelist, int told, int overflow) {
        /** The defaults, with the whitelist size that the application chose. */
        public static Limits of(long whitelist) {
            return new Limits(whitelist, ToldHashes.MOST, StoredValues.MAX_OVERFLOW);
        }
    }

    public Generation(Fold fold, KeyHasher hasher, MembershipFilter filter, Limits limits) {
        this(fold, hasher, null, new StoredValues(filter, limits.overflow()), limits);
    }

    private Generation(Fold fold, KeyHasher hasher, @Nullable Salt salt, StoredValues values, Limits limits) {
        this.fold = fold;
        this.keepsPlain = fold.keepsPlain();
        this.hasher = hasher;
        this.salt = salt;
        this.values = values;
        this.limits = limits;
        this.told = new ToldHashes(limits.told());
        this.whitelist = new Whitelist(limits.whitelist());
    }

    /** An empty generation that can be kept in a file. */
    static Generation keepable(Fold fold, KeyHasher hasher, Salt salt, MembershipFilter filter, Limits limits) {
        return new Generation(fold, hasher, salt, new StoredValues(filter, limits.overflow()), limits);
    }

    /** A generation read back from a file. */
    static Generation restored(
            Fold fold, KeyHasher hasher, GenerationImage image, MembershipFilter filter, Limits limits) {
        StoredValues values = new StoredValues(filter, limits.overflow());
        values.addOverflow(image.overflow());
        values.variants().addAll(image.variants());
        values.scanned();
        return new Generation(fold, hasher, image.salt(), values, limits);
    }

    /**
     * A generation that shares these stored values, so telling one tells both. Its told set and whitelist are empty.
     */
    public Generation renewed() {
        return new Generation(fold, hasher, salt, values, limits);
    }

    /** This generation in a form that can be written to a file, if both filter and hasher have one. */
    Optional<Keepable> keepable() {
        Salt from = salt;
        if (from == null) {
            return Optional.empty();
        }
        synchronized (values) { // no one can add meanwhile
            GenerationImage beside = new GenerationImage(
                    from,
                    fold instanceof Letters letters ? Optional.of(letters) : Optional.empty(),
                    values.variants().fingerprints(),
                    values.overflow());
            return CuckooImage.of(values.filter()).map(tables -> new Keepable(beside, tables));
        }
    }

    /** Holds everything added before it was asked for. */
    record Keepable(GenerationImage beside, CuckooImage tables) {}

    // ---------------------------------------------------------------- asked

    /** What makes texts equal here. */
    public Fold fold() {
        return fold;
    }

    /** The hash of the text's fold. */
    public long hash(String text) {
        return hasher.hash(fold.of(text));
    }

    public boolean mightContain(String text) {
        return values.mightContain(hash(text));
    }

    public void mightContainAll(long[] hashes, boolean[] results) {
        values.mightContainAll(hashes, results);
    }

    /** Whether the text may be stored, as far as memory knows. */
    public boolean mayHave(String text) {
        return decider(text, text, false, false) == null;
    }

    /**
     * What decides that a text is free: the filter or the whitelist, if text and key are both proved absent, since the
     * database may hold a row equal to either; the normalizer, if it is free but stored in another spelling. Null if
     * memory cannot tell.
     *
     * @param plain whether the text is its own key and {@linkplain Fold#keepsPlain plain}
     * @param spellings whether other spellings matter
     */
    @SuppressWarnings("ReferenceEquality") // most texts are their own key and fold
    public @Nullable DecidedBy decider(String text, String key, boolean plain, boolean spellings) {
        String folded = plain && keepsPlain ? key : fold.of(key);
        long hash = hasher.hash(folded);
        DecidedBy absent = proofOfAbsence(key, folded, hash);
        if (absent != null && text != key) {
            String other = fold.of(text);
            DecidedBy ofText = proofOfAbsence(text, other, hasher.hash(other));
            absent = ofText == DecidedBy.FILTER ? absent : ofText;
        }
        boolean variant = absent != null && spellings && hasVariant(folded == key ? hash : hasher.hash(key));
        return variant ? DecidedBy.NORMALIZER : absent;
    }

    private @Nullable DecidedBy proofOfAbsence(String text, String folded, long hash) {
        if (!values.mightContain(hash)) {
            return DecidedBy.FILTER;
        }
        return whitelist.has(text, folded) ? DecidedBy.WHITELIST : null;
    }

    /** Whether this is the key of a stored value that is spelt differently. */
    public boolean hasVariant(String key) {
        return hasVariant(hasher.hash(key));
    }

    private boolean hasVariant(long hashOfKey) {
        return values.variants().contains(hashOfKey);
    }

    // ---------------------------------------------------------------- told

    /**
     * A statement that may store this text is about to be sent, or someone has committed the text. Updates told set,
     * filter and whitelist, in this order: see {@link Whitelist}. False if the filter has no room.
     */
    public boolean tell(String text) {
        String folded = fold.of(text);
        long hash = hasher.hash(folded);
        told.add(hash);
        boolean room = values.add(hash);
        // If the whitelist has no entry, the look for it takes no lock that would order it after what was told.
        VarHandle.fullFence();
        whitelist.forget(folded);
        return room;
    }

    /** A read found this text, and it may not have been told. */
    public void found(String text) {
        add(text);
        whitelist.forget(fold.of(text));
    }

    /** This text is now stored; false if the filter has no room. */
    public boolean add(String text) {
        return values.store(hash(text));
    }

    /** This is the key of a stored value that is spelt differently. */
    public void noteVariant(String key) {
        values.variants().add(hasher.hash(key));
    }

    /** The scan has ended. */
    public void scanned() {
        values.scanned();
    }

    /**
     * A read that began while this generation served did not find this text. It is remembered unless its fold was told:
     * then the row may be on its way, and only the next generation can learn its absence. Nothing is kept if the filter
     * already says "no"; otherwise anyone who mentions enough names could evict the useful entries.
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

    /**
     * Whether a told name was found absent, or many were told: time for a generation that shares the filter and is
     * otherwise empty.
     */
    public boolean wantsRenewal() {
        return stale || told.isHalfFull();
    }

    /** Whether a larger filter is due, or one without the values that are gone. */
    public boolean isOutgrown() {
        return values.isOutgrown();
    }

    public long entries() {
        return values.entries();
    }

    /** Names it was told of since its birth. */
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
