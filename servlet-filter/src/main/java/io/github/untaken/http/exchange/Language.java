package io.github.untaken.http.exchange;

import io.github.untaken.http.spi.CheckRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * A language in which problems are described to people. Codes and field names are the same in all languages, since clients act on them. To
 * add one, put a file of texts beside this class and a constant here. Immutable.
 */
public final class Language {
    public static final Language ENGLISH = new Language("en", "en");
    static final Language SIMPLIFIED_CHINESE = new Language("zh-CN", "zh_CN");

    /** Longer headers are not worth reading; real ones have some fifty characters. */
    private static final int LONGEST_HEADER = 256;

    /** What may be asked for and gets these texts. */
    private static final List<String> CHINESE_TAGS = List.of("zh", "zh-hans", "zh-cn", "zh-sg");

    private static final List<String> TAGS = List.of("en", "zh", "zh-hans", "zh-cn", "zh-sg");

    private final String tag;
    private final Properties texts = new Properties();

    private Language(String tag, String file) {
        this.tag = tag;
        String name = "problems_" + file + ".properties";
        try (InputStream in = Language.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the file " + name + " is missing from the jar");
            }
            texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The best match for the {@code Accept-Language} header; English if there is none, or if it cannot be read. */
    public static Language of(CheckRequest request) {
        String acceptLanguage = request.header("Accept-Language");
        if (acceptLanguage == null || acceptLanguage.isEmpty() || acceptLanguage.length() > LONGEST_HEADER) {
            return ENGLISH;
        }
        try {
            String found = Locale.lookupTag(Locale.LanguageRange.parse(acceptLanguage), TAGS);
            return found != null && CHINESE_TAGS.contains(found) ? SIMPLIFIED_CHINESE : ENGLISH;
        } catch (IllegalArgumentException e) {
            return ENGLISH;
        }
    }

    /** As in {@code Content-Language}. */
    String tag() {
        return tag;
    }

    String title(Problem problem) {
        return text(problem.code() + ".title");
    }

    String detail(Problem problem) {
        return text(problem.code() + ".detail");
    }

    private String text(String key) {
        return texts.getProperty(key, key);
    }
}
