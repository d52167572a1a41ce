package io.github.untaken.http;

import java.util.Arrays;
import java.util.Locale;

/**
 * The key somebody probably meant: the one at the least Levenshtein distance, in any case. For keys that end in a kind, only the part
 * before it counts.
 */
final class NearestKey {
    private NearestKey() {}

    static String to(String key) {
        String given = key.toLowerCase(Locale.ROOT);
        int dot = given.indexOf('.', SettingKeys.PREFIX.length());
        String beforeKind = dot < 0 ? given + '.' : given.substring(0, dot + 1);
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (Setting setting : Setting.values()) {
            int distance = distance(setting.isOfKinds() ? beforeKind : given, setting.key());
            if (distance < least) {
                nearest = setting.key() + (setting.isOfKinds() ? "<kind>" : "");
                least = distance;
            }
        }
        return nearest;
    }

    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int exchanged = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
