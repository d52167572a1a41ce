package io.github.untaken.spring.boot.checker;

import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.normalize.EmailNormalizer;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.normalize.UsernameNormalizerBuilder;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.Given;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Hands the settings of the checker to its builder. */
final class CheckerSettings {
    private CheckerSettings() {}

    /** @throws UntakenSetupException if a value is out of its range */
    static void apply(UntakenProperties from, AvailabilityCheckerBuilder to) {
        try {
            Given.set(from.filter(), to::filter);
            Given.set(from.hash(), to::hash);
            Given.set(from.recheckThreads(), to::recheckThreads);
            Given.set(from.recheckQueue(), to::recheckQueue);
            Given.set(from.recheckTimeout(), to::recheckTimeout);
            Given.set(from.whitelistSize(), to::whitelistSize);
            Given.set(from.maxAnnounced(), to::maxAnnounced);
            Given.set(from.rescanInterval(), to::rescanInterval);
            Given.set(from.barrierTimeout(), to::barrierTimeout);
            Given.set(from.scanThreads(), to::scanThreads);
            Given.set(from.auditInterval(), to::auditInterval);
            Given.set(from.auditRows(), to::auditRows);
            Given.set(from.singleWriter(), to::singleWriter);
            Given.set(from.whenUnreachable(), to::whenUnreachable);
            Given.set(from.unreachableFor(), to::unreachableFor);
            Given.set(from.catalogInterval(), to::catalogInterval);
            Given.set(from.cluster().bound(), to::bound);
            Given.set(from.cluster().snapshots(), to::snapshots);
            Given.set(from.cluster().snapshotInterval(), to::snapshotInterval);
            from.cluster().latest().forEach(kind -> to.latest(IdentifierKind.of(kind)));
            from.policy().forEach((kind, policy) -> apply(IdentifierKind.of(kind), policy, to));
        } catch (IllegalArgumentException e) {
            throw new UntakenSetupException(
                    "A setting of the availability checker has an invalid value: " + e.getMessage(),
                    "Correct the property; its name is that of the setting, such as untaken.recheck-threads for"
                            + " recheckThreads.",
                    e);
        }
    }

    private static void apply(IdentifierKind kind, UntakenProperties.Policy policy, AvailabilityCheckerBuilder to) {
        if (hasRules(policy)) {
            to.normalizer(kind, normalizer(kind.name(), policy));
        }
        if (policy.variants() != null) {
            to.variants(kind, policy.variants());
        }
    }

    /** Whether it says which names may be registered at all. */
    private static boolean hasRules(UntakenProperties.Policy policy) {
        return policy.leastLength() != null
                || policy.greatestLength() != null
                || policy.characters() != null
                || policy.apostrophes() != null
                || isOfAddresses(policy);
    }

    /** Whether it says what only e-mail addresses have. */
    private static boolean isOfAddresses(UntakenProperties.Policy policy) {
        return policy.ignoreTags() != null || policy.ignoreDotsAt() != null;
    }

    private static String characters(UntakenProperties.Policy policy) {
        return Objects.requireNonNullElse(policy.characters(), "default");
    }

    private static IdentifierNormalizer normalizer(String kind, UntakenProperties.Policy policy) {
        if (kind.equals(IdentifierKind.PHONE.name())) {
            throw new IllegalArgumentException(
                    "untaken.policy.phone takes no lengths or characters, which are for names, and no settings"
                            + " for e-mail addresses: leave them out, and for other rules define a bean called"
                            + " phoneNormalizer");
        }
        return kind.equals(IdentifierKind.EMAIL.name()) ? ofAddresses(policy) : ofNames(kind, policy);
    }

    /** Under the rules of names every address would be invalid. */
    private static EmailNormalizer ofAddresses(UntakenProperties.Policy policy) {
        if (policy.leastLength() != null || policy.greatestLength() != null || policy.apostrophes() != null) {
            throw new IllegalArgumentException(
                    "untaken.policy.email takes no least-length, no greatest-length and no apostrophes, which are"
                            + " for names: leave them out");
        }
        EmailNormalizer addresses = ofCharacters(policy);
        addresses = Boolean.TRUE.equals(policy.ignoreTags()) ? addresses.ignoringTags() : addresses;
        return policy.ignoreDotsAt() == null
                ? addresses
                : addresses.ignoringDots(policy.ignoreDotsAt().toArray(String[]::new));
    }

    private static EmailNormalizer ofCharacters(UntakenProperties.Policy policy) {
        return switch (characters(policy)) {
            case "default" -> EmailNormalizer.defaults();
            case "ascii" -> EmailNormalizer.ascii();
            default ->
                throw new IllegalArgumentException(
                        "untaken.policy.email.characters must be 'default' or 'ascii'," + " but was '"
                                + characters(policy) + "'; for other rules define a bean called emailNormalizer");
        };
    }

    private static UsernameNormalizer ofNames(String kind, UntakenProperties.Policy policy) {
        if (isOfAddresses(policy)) {
            throw new IllegalArgumentException(
                    "untaken.policy." + kind + " takes no ignore-tags and no ignore-dots-at, which are for e-mail"
                            + " addresses, the kind email: leave them out");
        }
        UsernameNormalizerBuilder builder = UsernameNormalizer.builder()
                .length(
                        Objects.requireNonNullElse(policy.leastLength(), 3),
                        Objects.requireNonNullElse(policy.greatestLength(), 32));
        switch (characters(policy)) {
            case "default" -> {}
            case "ascii" -> builder.ascii();
            default -> {
                builder.characters(custom(kind, characters(policy)));
                // A policy that names every allowed character thereby names those at the edges.
                builder.edges(c -> true);
            }
        }
        return builder.apostrophes(Boolean.TRUE.equals(policy.apostrophes())).build();
    }

    private static IntPredicate custom(String kind, String text) {
        try {
            if (text.startsWith("[") && text.endsWith("]")) {
                return matching(text);
            }
        } catch (PatternSyntaxException e) {
            // Said below.
        }
        throw new IllegalArgumentException("untaken.policy." + kind + ".characters must be 'default', 'ascii' or a"
                + " character class such as [a-z0-9], but was '" + text + "'");
    }

    private static IntPredicate matching(String characterClass) {
        Pattern pattern = Pattern.compile(characterClass);
        return c -> pattern.matcher(Character.toString(c)).matches();
    }
}
