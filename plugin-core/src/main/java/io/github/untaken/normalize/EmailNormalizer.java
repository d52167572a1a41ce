package io.github.untaken.normalize;

import io.github.untaken.spi.IdentifierNormalizer;
import java.net.IDN;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The normalizer of e-mail addresses.
 *
 * <p><b>The key</b> folds case, width and compatibility variants as {@link UsernameNormalizer} does, and writes the
 * domain in ASCII ({@code bücher.example} as {@code xn--bcher-kva.example}). A provider may tell {@code Ann@} from
 * {@code ann@}; none does, and people do not. Dots and {@code +tags} count, since only the provider knows what they
 * mean; {@link #ignoringTags} and {@link #ignoringDots} change that.
 *
 * <p><b>The policy</b> refuses what cannot be the address of any mailbox: {@code too_short} for the empty text,
 * {@code too_long} for more than 254 characters, or 64 before the {@code @}, otherwise {@code malformed}. Quoted local
 * parts and bracketed numeric addresses are refused too. {@link #ascii} adds {@code illegal_character}. Only sending a
 * mail shows whether anyone reads it.
 *
 * <p>Immutable, thread-safe, never blocks.
 */
public final class EmailNormalizer implements IdentifierNormalizer.Named {
    private static final Optional<String> TOO_SHORT = Optional.of("too_short");
    private static final Optional<String> TOO_LONG = Optional.of("too_long");
    private static final Optional<String> MALFORMED = Optional.of("malformed");
    private static final Optional<String> ILLEGAL_CHARACTER = Optional.of("illegal_character");

    /** RFC 5321, and the erratum of RFC 3696. */
    private static final int LONGEST = 254;

    private static final int LONGEST_LOCAL_PART = 64;

    /** Far longer than any real one. A longer text cannot become a domain, and trying takes quadratic time. */
    private static final int LONGEST_DOMAIN = 1_000;

    /** The atoms of RFC 5322, with letters, marks and digits of any script (RFC 6531). */
    private static final Pattern LOCAL_PART =
            Pattern.compile("[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+(\\.[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+)*");

    private static final Pattern DOMAIN =
            Pattern.compile("([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+(?![0-9]+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    /** The ASCII characters that folding leaves unchanged. */
    private static final AsciiSet FOLDED = AsciiSet.of(c -> FoldedText.isPlain((char) c));

    private static final EmailNormalizer DEFAULTS = new EmailNormalizer(false, false, Set.of());

    private final boolean ascii;
    private final boolean ignoresTags;
    private final Set<String> domainsWithoutDots;

    private EmailNormalizer(boolean ascii, boolean ignoresTags, Set<String> domainsWithoutDots) {
        this.ascii = ascii;
        this.ignoresTags = ignoresTags;
        this.domainsWithoutDots = domainsWithoutDots;
    }

    /** The key and the policy described above. */
    public static EmailNormalizer defaults() {
        return DEFAULTS;
    }

    /**
     * The same keys, but new addresses must be ASCII, in any width. So {@code bücher.example} must be typed as
     * {@code xn--bcher-kva.example}: a column whose collation merges accents holds it equal to {@code bucher.example},
     * which is another domain.
     */
    public static EmailNormalizer ascii() {
        return new EmailNormalizer(true, false, Set.of());
    }

    /**
     * The same, but ignores what follows a {@code +} before the {@code @}. This allows one account for each mailbox;
     * someone whose provider does not use tags may find their address taken.
     */
    public EmailNormalizer ignoringTags() {
        return new EmailNormalizer(ascii, true, domainsWithoutDots);
    }

    /**
     * The same, but ignores dots before the {@code @} at these domains, such as {@code gmail.com}, in addition to those
     * given before.
     */
    public EmailNormalizer ignoringDots(String... domains) {
        Set<String> all = new HashSet<>(domainsWithoutDots);
        for (String domain : domains) {
            all.add(inAscii(FoldedText.of(domain)));
        }
        return new EmailNormalizer(ascii, ignoresTags, Set.copyOf(all));
    }

    /**
     * Includes each domain's length, whatever the domain contains. Leaves out the policy, which does not affect keys.
     */
    @Override
    public String name() {
        String dots = new TreeSet<>(domainsWithoutDots)
                .stream().map(domain -> " " + domain.length() + ':' + domain).collect(Collectors.joining());
        return "email 2 of " + FoldedText.NAME + (ignoresTags ? ", tags ignored" : "") + ", dots ignored at:" + dots;
    }

    @Override
    public String key(String value) {
        if (isItsOwnKey(value)) {
            return value;
        }
        // Folded as a whole first: a full-width @ counts as one.
        String folded = FoldedText.of(value);
        int at = folded.lastIndexOf('@');
        if (at < 0) {
            return folded;
        }
        String typed = folded.substring(at + 1);
        String domain = inAscii(typed);
        String whole = folded.substring(0, at);
        String local = FoldedText.of(withoutDots(withoutTag(whole), domain));
        if (local.equals(whole) && domain.equals(typed)) {
            return folded;
        }
        return local + '@' + domain;
    }

    /**
     * A quick test: ASCII without capitals is not folded, and its domain stays as it is; the rest has no tag and no
     * dot.
     */
    private boolean isItsOwnKey(String text) {
        return FOLDED.containsAll(text)
                && (!ignoresTags || text.indexOf('+') < 0)
                && (domainsWithoutDots.isEmpty() || text.indexOf('.') > text.lastIndexOf('@'));
    }

    private String withoutTag(String local) {
        int plus = ignoresTags ? local.indexOf('+') : -1;
        return plus > 0 ? local.substring(0, plus) : local;
    }

    private String withoutDots(String local, String domain) {
        return domainsWithoutDots.contains(domain) ? local.replace(".", "") : local;
    }

    /** Text that is not a domain stays as it is: rows older than the policy have keys too. */
    private static String inAscii(String domain) {
        if (domain.length() > LONGEST_DOMAIN) {
            return domain;
        }
        try {
            return FoldedText.of(IDN.toASCII(domain, IDN.ALLOW_UNASSIGNED));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return domain;
        }
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        if (key.isEmpty()) {
            return TOO_SHORT;
        }
        // Also tests the text: without its tag a key may be short although the stored value is not.
        int at = key.lastIndexOf('@');
        if (text.length() > LONGEST || key.length() > LONGEST || at > LONGEST_LOCAL_PART) {
            return TOO_LONG;
        }
        boolean wellFormed = at > 0
                && LOCAL_PART.matcher(key.substring(0, at)).matches()
                && DOMAIN.matcher(key.substring(at + 1)).matches();
        if (!wellFormed) {
            return MALFORMED;
        }
        return ascii && FoldedText.of(text).chars().anyMatch(c -> c >= 128) ? ILLEGAL_CHARACTER : Optional.empty();
    }
}
