package io.github.untaken.http;

/** Refuses nobody. Has a name, so that the startup log can say that nothing limits clients. */
enum UnlimitedClients implements ClientLimiter {
    INSTANCE;

    @Override
    public Decision admit(ClientKey client) {
        return Decision.admit();
    }
}
