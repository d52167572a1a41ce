package io.github.untaken.servlet;

class TomcatRegistrationWatcherTest extends RegistrationWatcherContract {
    TomcatRegistrationWatcherTest() {
        super(Container.TOMCAT);
    }
}
