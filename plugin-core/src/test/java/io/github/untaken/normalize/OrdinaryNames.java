package io.github.untaken.normalize;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Names of the kind that people sign up with: some that exist, and any number made of syllables. */
final class OrdinaryNames {

    /** As they are written in many countries, and a few that come close to something reserved. */
    static final List<String> REAL = List.of(String.join(
                    " ",
                    "james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan",
                    "joseph jessica thomas sarah charles karen daniel nancy matthew lisa anthony betty mark sandra donald ashley",
                    "steven emily andrew donna paul michelle joshua carol kenneth amanda kevin melissa brian deborah george",
                    "ian ali alan allan lilian mali emil emilio nils lil bill billy ellis ines mia mimi jim tim vim pam sam",
                    "art mason dean bishop baker cook taylor page newman webb testa rooney rootes adminer rooted pope postma abby",
                    "maximilian katharina lukas hannah juergen m\u00fcller bj\u00f6rn s\u00f8ren \u00e5sa j\u00f3zsef zs\u00f3fia fran\u00e7ois chlo\u00eb",
                    "jos\u00e9 mar\u00eda jo\u00e3o in\u00eas giuseppe francesca \u0142ukasz ma\u0142gorzata ji\u0159\u00ed ionu\u021b \u015feyma o\u011fuz \u00e7a\u011fla nguy\u1ec5n \u0111\u1ee9c",
                    "mohammed fatima ahmed aisha omar layla yusuf noor priya rahul ananya arjun wei jing hiroshi yuki min-jun seo.yeon",
                    "alice2026 bob_1990 r2d2 c3po user4711 b2b_anna 4ever_young 007bond lucky7 max.power x_x_x h264 mp3fan k9unit",
                    "\u0430\u043d\u043d\u0430 \u0438\u0432\u0430\u043d \u0434\u043c\u0438\u0442\u0440\u0438\u0439 \u043e\u043b\u044c\u0433\u0430 \u0441\u0435\u0440\u0433\u0435\u0439 \u043d\u0430\u0442\u0430\u043b\u044c\u044f \u0432\u043e\u0432\u0430_99 \u0444\u0451\u0434\u043e\u0440 \u0457\u0436\u0430\u043a \u0433\u0435\u043e\u0440\u0433\u0438\u0439 \u0440\u0443\u0442",
                    "\u03b3\u03b9\u03ce\u03c1\u03b3\u03bf\u03c2 \u03bc\u03b1\u03c1\u03af\u03b1 \u03ba\u03ce\u03c3\u03c4\u03b1\u03c2 \u03b5\u03bb\u03ad\u03bd\u03b7 \u03bd\u03af\u03ba\u03bf\u03c2 \u03c3\u03bf\u03c6\u03af\u03b1 \u0561\u0580\u0561\u0574 \u10dc\u10d8\u10dc\u10dd",
                    "\u0645\u062d\u0645\u062f \u0641\u0627\u0637\u0645\u0629 \u064a\u0648\u0633\u0641\u0661\u0662 \u0631\u0636\u0627 \u0633\u0627\u0631\u0627 \u05d3\u05d5\u05d3 \u05e8\u05d7\u05dc \u05e0\u05d5\u05e2\u05d4",
                    "\u0930\u093e\u0939\u0941\u0932 \u092a\u094d\u0930\u093f\u092f\u093e \u0985\u09b0\u09bf\u09a8\u09cd\u09a6\u09ae \u0b95\u0ba3\u0bcd\u0ba3\u0ba9\u0bcd \u0e2a\u0e21\u0e0a\u0e32\u0e22 \u0e19\u0e49\u0e33\u0e1d\u0e19",
                    "\u5f20\u4f1f \u738b\u82b3 \u674e\u5a1c \u5218\u6d0b \u9648\u660e \u5f20\u4f1f2026 \u5c0f\u660ealice \u6797\u5fd7\u73b2 \u5927\u962a\u4eba \u4f50\u85e4 \u5065\u592a\u3055\u3093 \u3086\u304d \u30e6\u30fc\u30ad \u9234\u6728\u30a2\u30ad alice\u3061\u3083\u3093",
                    "\uae40\ucca0\uc218 \uc774\uc601\ud76c \ubc15\uc9c0\ubbfc kim\ucca0\uc218 \u91d1\ucca0 \u3105\u3106\u3107\u674e")
            .split(" "));

    private static final List<String> BEGINNINGS = List.of(
            "ba", "be", "bra", "ca", "cho", "da", "de", "dri", "el", "fa", "fi", "ga", "gre", "ha", "he", "is", "ja",
            "ju", "ka", "kri", "la", "le", "ma", "me", "mi", "na", "ni", "ol", "pa", "pe", "ra", "re", "ro", "sa", "se",
            "ste", "ta", "to", "va", "vi", "wa", "xi", "ya", "ze");
    private static final List<String> ENDINGS = List.of(
            "n", "na", "no", "s", "ra", "ro", "l", "la", "lo", "t", "ta", "to", "mi", "ko", "ka", "ne", "sen", "ger");
    private static final List<String> SEPARATORS = List.of("", "", "", ".", "_", "-");

    private OrdinaryNames() {}

    /** Of four syllables at least, some with a separator, some with a number. */
    static List<String> made(int many, SplittableRandom random) {
        List<String> names = new ArrayList<>(many);
        for (int i = 0; i < many; i++) {
            String number = random.nextInt(3) == 0 ? "" + random.nextInt(random.nextBoolean() ? 100 : 10_000) : "";
            names.add(word(random) + oneOf(SEPARATORS, random) + word(random) + number);
        }
        return names;
    }

    private static String word(SplittableRandom random) {
        return oneOf(BEGINNINGS, random)
                + oneOf(ENDINGS, random)
                + (random.nextBoolean() ? oneOf(ENDINGS, random) : "");
    }

    private static String oneOf(List<String> some, SplittableRandom random) {
        return some.get(random.nextInt(some.size()));
    }
}
