package io.github.untaken.servlet;

class TomcatEndpointTest extends AvailabilityEndpointContract {
    TomcatEndpointTest() {
        super(Container.TOMCAT);
    }
}
