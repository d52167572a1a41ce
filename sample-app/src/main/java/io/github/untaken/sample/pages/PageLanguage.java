package io.github.untaken.sample.pages;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * In which language a page is answered: the one its address names by {@code ?lang=}, or else the first of the browser's list
 * that there is, or else English. A choice stands in the address and nowhere else: links and forms carry it on, so nothing
 * is kept about the visitor. Immutable.
 */
final class PageLanguage {
    private static final String PARAMETER = "lang";

    private final Texts texts;
    private final boolean chosen;
    private final List<String> otherParameters;

    private PageLanguage(Texts texts, boolean chosen, List<String> otherParameters) {
        this.texts = texts;
        this.chosen = chosen;
        this.otherParameters = otherParameters;
    }

    static PageLanguage of(HttpServletRequest request) {
        List<String> choices = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String pair :
                Optional.ofNullable(request.getQueryString()).orElse("").split("&", -1)) {
            if (pair.startsWith(PARAMETER + "=")) {
                choices.add(pair.substring(PARAMETER.length() + 1));
            } else if (!pair.isEmpty()) {
                others.add(pair);
            }
        }
        // Two choices are none.
        Optional<Texts> choice = choices.size() == 1 ? Texts.in(choices.get(0)) : Optional.empty();
        return new PageLanguage(choice.orElseGet(() -> preferred(request)), choice.isPresent(), List.copyOf(others));
    }

    private static Texts preferred(HttpServletRequest request) {
        for (Locale locale : Collections.list(request.getLocales())) {
            Optional<Texts> texts = Texts.in(locale.getLanguage());
            if (texts.isPresent()) {
                return texts.get();
            }
        }
        return Texts.ENGLISH;
    }

    Texts texts() {
        return texts;
    }

    /** What the templates need for their links: to this page in each language, and to others in the language chosen. */
    Map<String, String> links(String path) {
        Map<String, String> values = new HashMap<>();
        values.put("chosen", chosen ? query(List.of(), texts.language()) : "");
        for (Texts each : Texts.ALL) {
            values.put("link." + each.language(), path + query(otherParameters, each.language()));
            values.put("current." + each.language(), String.valueOf(each == texts));
        }
        return values;
    }

    private static String query(List<String> parameters, String language) {
        List<String> all = new ArrayList<>(parameters);
        all.add(PARAMETER + "=" + language);
        return "?" + String.join("&", all);
    }
}
