package io.github.untaken.jpa.hibernate;

import org.hibernate.engine.extension.spi.ExtensionIntegration;
import org.hibernate.engine.extension.spi.ExtensionIntegrationContext;
import org.hibernate.engine.extension.spi.ExtensionIntegrationService;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** Gives each session its {@link SessionStatements}; found through {@code META-INF/services}. */
public final class SessionStatementsIntegration implements ExtensionIntegration<SessionStatements> {

    /** Whether a factory uses it. Older versions of Hibernate have no such thing, hence no classes to ask for it. */
    static boolean isKnownTo(SessionFactoryImplementor factory) {
        try {
            for (ExtensionIntegration<?> integration : factory.getServiceRegistry()
                    .requireService(ExtensionIntegrationService.class)
                    .extensionIntegrations()) {
                if (integration instanceof SessionStatementsIntegration) {
                    return true;
                }
            }
            return false;
        } catch (LinkageError e) {
            return false;
        }
    }

    @Override
    public Class<SessionStatements> getExtensionType() {
        return SessionStatements.class;
    }

    @Override
    public SessionStatements createExtension(ExtensionIntegrationContext context) {
        return SessionStatements.of(context.getSession());
    }
}
