package io.github.untaken.jpa.hibernate;

import org.hibernate.engine.extension.spi.ExtensionIntegration;
import org.hibernate.engine.extension.spi.ExtensionIntegrationContext;

/** Gives each session its {@link StatementWatch}; found through {@code META-INF/services}. */
public final class StatementWatchIntegration implements ExtensionIntegration<StatementWatch> {

    @Override
    public Class<StatementWatch> getExtensionType() {
        return StatementWatch.class;
    }

    @Override
    public StatementWatch createExtension(ExtensionIntegrationContext context) {
        return StatementWatch.of(context.getSession());
    }
}
