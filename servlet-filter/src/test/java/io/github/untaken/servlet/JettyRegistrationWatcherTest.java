package io.github.untaken.servlet;

class JettyRegistrationWatcherTest extends RegistrationWatcherContract {
    JettyRegistrationWatcherTest() {
        super(Container.JETTY);
    }
}
