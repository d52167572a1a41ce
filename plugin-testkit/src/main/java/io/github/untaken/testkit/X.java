package io.github.untaken.testkit;

final class X {}
