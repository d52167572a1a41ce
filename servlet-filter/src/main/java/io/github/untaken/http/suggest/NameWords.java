package io.github.untaken.http.suggest;

import java.lang.Character.UnicodeScript;
import java.util.List;

/** What may stand beside a name, in the script it is written in. */
enum NameWords {
    LATIN("hq here now online daily world life pro", "the hey its real just only", "abcdefghjklmnprstvw", ""),
    CYRILLIC("тут онлайн дома снова", "я это просто", "абвгдеиклмнрст", "_"),
    GREEK("εδώ τώρα πάλι", "εγώ είμαι", "αβγδκλμνπρστ", "_"),
    HAN("呀 本人 在此 日常 今天 你好", "我是 小 阿 就是", "", ""),
    KANA("です だよ さん ちゃん にっき", "こちら いつも", "", ""),
    HANGUL("입니다 이에요 일기 하루", "나는 저는 안녕", "", ""),
    OTHER("", "", "", "");

    private final String after;
    private final String before;
    private final String initials;
    private final String joint;

    NameWords(String after, String before, String initials, String joint) {
        this.after = after;
        this.before = before;
        this.initials = initials;
        this.joint = joint;
    }

    List<String> after() {
        return words(after);
    }

    List<String> before() {
        return words(before);
    }

    List<String> initials() {
        return initials.chars().mapToObj(Character::toString).toList();
    }

    /** Separates a word from a name of one part, where the two would be misread as one. */
    String joint() {
        return joint;
    }

    private static List<String> words(String all) {
        return all.isEmpty() ? List.of() : List.of(all.split(" "));
    }

    /** Those of the name's script; if it mixes scripts that go together, those of the one that hosts the others. */
    static NameWords of(String name) {
        NameWords words = OTHER;
        for (int i = 0; i < name.length(); ) {
            int c = name.codePointAt(i);
            i += Character.charCount(c);
            NameWords its = Character.isLetter(c) ? of(UnicodeScript.of(c)) : words;
            if (words == OTHER || words == LATIN || (words == HAN && its != LATIN)) {
                words = its;
            }
        }
        return words;
    }

    private static NameWords of(UnicodeScript script) {
        return switch (script) {
            case LATIN -> LATIN;
            case CYRILLIC -> CYRILLIC;
            case GREEK -> GREEK;
            case HAN -> HAN;
            case HIRAGANA, KATAKANA -> KANA;
            case HANGUL -> HANGUL;
            default -> OTHER;
        };
    }
}
