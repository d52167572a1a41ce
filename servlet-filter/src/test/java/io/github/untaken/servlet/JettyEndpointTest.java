package io.github.untaken.servlet;

class JettyEndpointTest extends AvailabilityEndpointContract {
    JettyEndpointTest() {
        super(Container.JETTY);
    }
}
