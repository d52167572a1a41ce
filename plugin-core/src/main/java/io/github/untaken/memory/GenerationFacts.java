package io.github.untaken.memory;

import io.github.untaken.filter.HashAlgorithm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * What must not have changed since a generation was kept: otherwise its "no" would be about other keys. All of it is
 * known without asking anyone.
 *
 * @param kind the kind's name
 * @param normalizer identifies the function that makes keys
 * @param unicode identifies this JVM's character tables
 */
public record GenerationFacts(String kind, String normalizer, HashAlgorithm algorithm, String unicode) {

    /** The facts under this JVM. The Unicode version depends on the Java version alone. */
    public GenerationFacts(String kind, String normalizer, HashAlgorithm algorithm) {
        this(kind, normalizer, algorithm, "Java " + Runtime.version().feature());
    }

    /** Why something kept under the given facts does not fit these. */
    Optional<String> objection(GenerationFacts kept) {
        if (!kind.equals(kept.kind)) {
            return Optional.of("it belongs to another kind");
        }
        if (!normalizer.equals(kept.normalizer)) {
            return Optional.of("it was made with another normalizer");
        }
        if (!unicode.equals(kept.unicode)) {
            return Optional.of("it was made under " + kept.unicode + ", and this is " + unicode);
        }
        return algorithm == kept.algorithm ? Optional.empty() : Optional.of("it was made with another hash algorithm");
    }

    void write(DataOutput out) throws IOException {
        out.writeUTF(kind);
        out.writeUTF(normalizer);
        out.writeUTF(algorithm.name());
        out.writeUTF(unicode);
    }

    static GenerationFacts read(DataInput in) throws IOException {
        return new GenerationFacts(in.readUTF(), in.readUTF(), HashAlgorithm.valueOf(in.readUTF()), in.readUTF());
    }
}
