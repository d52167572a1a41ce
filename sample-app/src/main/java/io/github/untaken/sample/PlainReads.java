package io.github.untaken.sample;

import io.github.untaken.IdentifierKind;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.phone.PhoneNumberNormalizer;
import io.github.untaken.sample.experiment.DatabaseCheck;
import io.github.untaken.sample.experiment.Experiment;
import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.util.List;
import java.util.Map;

/** The rules of the site's kinds, and who applies them without a checker: each check is a read of the store. */
final class PlainReads {
    static final IdentifierNormalizer USERNAMES = UsernameNormalizer.defaults();
    static final IdentifierNormalizer PHONES = PhoneNumberNormalizer.forRegion("CN");
    static final ReservedNames RESERVED = ReservedNames.defaults();

    private PlainReads() {}

    /** @param reads what the store reads are counted by */
    static Experiment.Reader of(IdentifierSource source, CheckReads reads) {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = source.stores();
        DatabaseCheck usernames =
                new DatabaseCheck(USERNAMES, RESERVED, stores.getOrDefault(IdentifierKind.USERNAME, List.of()), reads);
        DatabaseCheck phones = new DatabaseCheck(
                PHONES, ReservedNames.none(), stores.getOrDefault(IdentifierKind.PHONE, List.of()), reads);
        return new Experiment.Reader(Map.of(IdentifierKind.USERNAME, usernames, IdentifierKind.PHONE, phones), reads);
    }
}
