package io.github.untaken.benchmarks.subjects;

/** What a subject can do by its own documentation; the rest is not measured. */
public enum Ability {
    /** Forgets one key when told to. */
    REMOVES,
    /** Several threads may ask at once, as long as nobody writes. */
    READERS,
    /** Threads may ask while another one adds, and removes where it {@link #REMOVES}. */
    READERS_BESIDE_WRITER,
    /** Answers many keys in one call. */
    BATCH,
    /** Takes several times the keys it was made for, without being told the old ones again. */
    GROWS,
    /** Its hash has a secret key, so that nobody can prepare colliding names. */
    KEYED,
    /** Holds the keys themselves and never errs. */
    EXACT,
    /** Asks the key for its {@code hashCode}, which a {@code String} remembers: each question needs a new one. */
    HASH_CODE,
}
