package io.github.untaken.sample.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the pages say, in one language, and the pages themselves filled with it. Immutable. */
final class Texts {
    private static final Pattern PLACE = Pattern.compile("\\{\\{([a-zA-Z._]+)}}");
    static final Texts ENGLISH = new Texts("en");
    /** In every language there is. */
    static final List<Texts> ALL = List.of(ENGLISH, new Texts("zh"));

    private final String language;
    private final Properties texts = new Properties();

    private Texts(String language) {
        this.language = language;
        try (Reader reader =
                new InputStreamReader(resource("texts_" + language + ".properties"), StandardCharsets.UTF_8)) {
            texts.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of a language by its code, such as {@code zh}. */
    static Optional<Texts> in(String language) {
        return ALL.stream().filter(texts -> texts.language.equals(language)).findFirst();
    }

    String language() {
        return language;
    }

    /** A text by name; the name itself where there is none, so that a new reason code still shows. */
    String text(String name) {
        return texts.getProperty(name, name);
    }

    /**
     * A page with each {@code {{name}}} replaced by a value given, or else by the text of that name, escaped; a name that
     * ends in {@code .html} by that part of a page.
     */
    String page(String file, Map<String, String> values) {
        String template;
        try (InputStream in = resource(file)) {
            template = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Matcher places = PLACE.matcher(template);
        return places.replaceAll(place -> {
            String name = place.group(1);
            return Matcher.quoteReplacement(
                    name.endsWith(".html") ? page(name, values) : escaped(values.getOrDefault(name, text(name))));
        });
    }

    /** Reads a file of this package. */
    static InputStream resource(String file) {
        InputStream in = Texts.class.getResourceAsStream(file);
        if (in == null) {
            throw new IllegalStateException("the jar has no " + file + "; build it again");
        }
        return in;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
