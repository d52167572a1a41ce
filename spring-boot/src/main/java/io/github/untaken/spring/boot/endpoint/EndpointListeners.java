package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.http.EndpointListener;
import java.util.List;

/** All listeners of the application, where the endpoint takes one. */
record EndpointListeners(List<EndpointListener> all) implements EndpointListener {

    @Override
    public void answered(IdentifierKind kind, Verdict.Status status) {
        all.forEach(each -> each.answered(kind, status));
    }

    @Override
    public void refused(int status, String problem) {
        all.forEach(each -> each.refused(status, problem));
    }

    @Override
    public void sweepSuspected(IdentifierKind kind, long answers, long taken) {
        all.forEach(each -> each.sweepSuspected(kind, answers, taken));
    }

    @Override
    public void responded(int status, long nanos) {
        all.forEach(each -> each.responded(status, nanos));
    }

    @Override
    public void forwardedByStranger(String header) {
        all.forEach(each -> each.forwardedByStranger(header));
    }
}
