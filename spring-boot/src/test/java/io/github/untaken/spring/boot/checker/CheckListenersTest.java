package io.github.untaken.spring.boot.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.spring.boot.EveryCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckListenersTest {
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    @Test
    void allListenersOfTheCheckerAreToldEverything() throws Exception {
        EveryCall.reachesBoth(CheckListener.class, (first, second) -> CheckListeners.of(List.of(first, second)));
    }

    @Test
    void whoNamesTheAskerIsBelieved() {
        CheckListener silent = new CheckListener() {};
        CheckListener naming = EveryCall.noting(CheckListener.class, new ArrayList<>(), "mine");
        assertThat(CheckListeners.of(List.of(naming, silent)).storeAsked(KIND)).isEqualTo("mine");
        assertThat(CheckListeners.of(List.of(silent, silent)).storeAsked(KIND)).isEqualTo(KIND);
    }
}
