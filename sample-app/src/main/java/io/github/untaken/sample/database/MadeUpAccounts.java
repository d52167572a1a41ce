package io.github.untaken.sample.database;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Accounts nobody has: for each index one user name of 8 to 20 characters and one mobile number, the same at every start.
 *
 * <p>Unique by construction. An index is first permuted (multiplied by a number that shares no factor with the count of
 * names), so that neighbours look unrelated, and then read as the mixed-radix digits of a given name, a separator, a
 * family name and a number. Indexes from the number of users on give names of the same look that are free.
 */
public final class MadeUpAccounts {
    private static final String[] GIVEN = {
        "ada", "agnes", "aiko", "alan", "amina", "ana", "anton", "aria", "bao", "bella", "boris", "carlos", "chen",
        "chloe", "clara", "dario", "dina", "elena", "elias", "emil", "emma", "fatima", "felix", "fiona", "gita",
        "goran", "hana", "hugo", "ines", "ivan", "jade", "jamal", "jing", "jonas", "kaito", "karin", "lars", "leila",
        "lena", "liam", "lucas", "maria", "marco", "mei", "mila", "nadia", "nils", "noor", "olga", "omar", "otto",
        "paula", "pedro", "qing", "rana", "rosa", "samir", "sofia", "tariq", "tomas", "uma", "vera", "wei", "yara"
    };
    private static final String[] FAMILY = {
        "abbasi",
        "acosta",
        "adler",
        "ahmed",
        "alvarez",
        "bauer",
        "becker",
        "bianchi",
        "brandt",
        "castro",
        "chang",
        "cohen",
        "costa",
        "cruz",
        "dias",
        "dubois",
        "egger",
        "fischer",
        "flores",
        "garcia",
        "gomez",
        "gupta",
        "haas",
        "hansen",
        "hoffman",
        "huang",
        "ibrahim",
        "ivanova",
        "jansen",
        "jimenez",
        "kaya",
        "keller",
        "khan",
        "kim",
        "kowalski",
        "kumar",
        "larsen",
        "lehmann",
        "lopez",
        "marino",
        "martin",
        "meyer",
        "moreau",
        "mueller",
        "nguyen",
        "novak",
        "okafor",
        "olsen",
        "ortega",
        "patel",
        "pereira",
        "petrov",
        "ramos",
        "ricci",
        "rossi",
        "sato",
        "schmidt",
        "silva",
        "suzuki",
        "tanaka",
        "torres",
        "vargas",
        "weber",
        "zhang"
    };
    private static final String[] SEPARATORS = {".", "_"};
    private static final int NUMBERS = 10_000;
    private static final String[] MOBILE_PREFIXES = {
        "130", "131", "132", "133", "135", "136", "137", "138", "139", "150", "151", "152", "155", "156", "157", "158",
        "159", "180", "181", "182", "183", "185", "186", "187", "188", "189"
    };

    /** How many names there are, taken and free together. */
    public static final int NAMES = GIVEN.length * FAMILY.length * SEPARATORS.length * NUMBERS;

    /** The most accounts a database may be seeded with; at least as many names stay free. */
    public static final int MOST = NAMES / 2;

    // A prime larger than any factor of NAMES, about NAMES divided by the golden ratio.
    private static final long STRIDE = 50_629_351;
    private static final long OFFSET = 31_415_926;
    private static final long BACK =
            BigInteger.valueOf(STRIDE).modInverse(BigInteger.valueOf(NAMES)).longValueExact();

    private MadeUpAccounts() {}

    /**
     * The user name of an index, in its normal form.
     *
     * @param index from 0 to {@code NAMES - 1}
     */
    public static String username(int index) {
        int digits = permuted(index);
        int number = digits % NUMBERS;
        digits /= NUMBERS;
        String separator = SEPARATORS[digits % SEPARATORS.length];
        digits /= SEPARATORS.length;
        String family = FAMILY[digits % FAMILY.length];
        return GIVEN[digits / FAMILY.length] + separator + family + number;
    }

    /**
     * The mobile number of an index, in E.164 form.
     *
     * @param index from 0 to {@code NAMES - 1}
     */
    public static String phone(int index) {
        int digits = permuted(index);
        String eight = Integer.toString(100_000_000 + digits).substring(1);
        return "+86" + MOBILE_PREFIXES[digits % MOBILE_PREFIXES.length] + eight;
    }

    /** The index of a user name in its normal form; -1 if it is none of these. */
    public static int indexOf(String username) {
        int separator = Math.max(username.indexOf('.'), username.indexOf('_'));
        int number = separator + 1;
        while (number < username.length() && !isDigit(username.charAt(number))) {
            number++;
        }
        String last = username.substring(number);
        if (separator < 0 || !last.matches("0|[1-9][0-9]{0,3}")) {
            return -1;
        }
        int given = Arrays.asList(GIVEN).indexOf(username.substring(0, separator));
        int family = Arrays.asList(FAMILY).indexOf(username.substring(separator + 1, number));
        int between = Arrays.asList(SEPARATORS).indexOf(username.substring(separator, separator + 1));
        if (given < 0 || family < 0) {
            return -1;
        }
        return unpermuted(
                ((given * FAMILY.length + family) * SEPARATORS.length + between) * NUMBERS + Integer.parseInt(last));
    }

    /** The index of a mobile number in E.164 form; -1 if it is none of these. */
    public static int indexOfPhone(String phone) {
        if (!phone.matches("\\+86[0-9]{11}")) {
            return -1;
        }
        int digits = Integer.parseInt(phone.substring(6));
        return digits < NAMES && phone.startsWith(MOBILE_PREFIXES[digits % MOBILE_PREFIXES.length], 3)
                ? unpermuted(digits)
                : -1;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Whether the account of this index has a phone: every second one. */
    public static boolean hasPhone(int index) {
        return index % 2 == 0;
    }

    private static int permuted(int index) {
        if (index < 0 || index >= NAMES) {
            throw new IllegalArgumentException("index must be from 0 to " + (NAMES - 1) + ", but was " + index);
        }
        return (int) ((index * STRIDE + OFFSET) % NAMES);
    }

    private static int unpermuted(int digits) {
        return (int) (Math.floorMod(digits - OFFSET, (long) NAMES) * BACK % NAMES);
    }
}
