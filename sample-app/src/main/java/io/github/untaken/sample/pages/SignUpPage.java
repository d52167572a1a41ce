package io.github.untaken.sample.pages;

import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.database.SampleDatabase;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sign-up page: as it is first, or sent back with what was typed and the problem beside its field. Immutable. */
public final class SignUpPage {
    static final String PATH = "/signup";

    private static final String[] FIELDS = {"username", "phone"};

    private final int seededUsers;
    private final long pageCacheBytes;
    private final boolean directReads;

    public SignUpPage(SampleDatabase database) {
        this.seededUsers = database.seededUsers();
        this.pageCacheBytes = database.pageCacheBytes();
        this.directReads = database.directReads();
    }

    String empty(PageLanguage language) {
        return page(language, language.texts().text("signup.title"), "", Optional.empty(), "", "");
    }

    /**
     * @param typed what was sent, or empty if it could not be read
     * @param field the field that is to blame, or null for none; one of another form counts as none
     * @param problem what people read
     */
    String refused(PageLanguage language, Optional<Form> typed, @Nullable String field, String problem) {
        Texts texts = language.texts();
        String title = texts.text("sorry") + " \u2013 " + texts.text("signup.title");
        boolean known = "username".equals(field) || "phone".equals(field);
        return page(language, title, known ? "" : problem, typed, known ? String.valueOf(field) : "", problem);
    }

    private String page(
            PageLanguage language, String title, String general, Optional<Form> typed, String blamed, String problem) {
        Map<String, String> values = language.links(PATH);
        values.put("page.title", title);
        values.put("problem.state", general.isEmpty() ? "" : "bad");
        values.put("problem.text", general);
        for (String field : FIELDS) {
            boolean bad = field.equals(blamed);
            values.put(
                    "typed." + field,
                    typed.flatMap(form -> form.optional(field)).orElse(""));
            values.put("invalid." + field, String.valueOf(bad));
            values.put("problem." + field, bad ? problem : "");
            values.put("focus." + field, bad ? "autofocus" : "");
        }
        values.put("try.taken", seededUsers > 0 ? MadeUpAccounts.username(0) : "");
        values.put("cacheMegabytes", String.valueOf(pageCacheBytes >> 20));
        if (directReads) {
            values.put("trace.cached", language.texts().text("trace.direct"));
        }
        return language.texts().page("signup.html", values);
    }
}
