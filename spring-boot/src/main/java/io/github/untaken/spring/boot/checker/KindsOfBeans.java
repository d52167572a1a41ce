package io.github.untaken.spring.boot.checker;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import java.util.Locale;

/** Which kind a bean is for: it is called as the kind, or as the kind and what it is ({@code username}, {@code usernameStore}). */
final class KindsOfBeans {
    private KindsOfBeans() {}

    /** @throws UntakenSetupException if the name is that of no kind */
    static IdentifierKind of(String bean, String whatItIs) {
        String name = bean.endsWith(whatItIs) ? bean.substring(0, bean.length() - whatItIs.length()) : bean;
        try {
            return IdentifierKind.of(
                    name.replaceAll("(?<=[a-z0-9])([A-Z])", "-$1").toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UntakenSetupException(
                    "The name of the bean '" + bean + "' does not say which kind of identifiers it is for",
                    "Call it as the kind, such as 'username" + whatItIs + "'.",
                    e);
        }
    }
}
