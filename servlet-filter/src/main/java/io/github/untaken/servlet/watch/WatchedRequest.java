package io.github.untaken.servlet.watch;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.watch.Rule;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.util.Collection;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the parameters that watch rules name, once the application has asked for any: the container has then parsed them all, and
 * looking changes nothing. Until then the body is left alone. Tells of attributes as they are set: at the end of the request the client may
 * already have the answer.
 */
final class WatchedRequest extends HttpServletRequestWrapper {
    private final List<Rule> rules;
    private final RequestEffects effects;
    private final BiConsumer<String, @Nullable Object> attributeSet;
    private final FaultLog faults;
    private volatile boolean seen;

    /**
     * @param rules those that match this request and name a parameter
     * @param attributeSet is told of each attribute the application sets, and does not throw
     */
    WatchedRequest(
            HttpServletRequest request,
            List<Rule> rules,
            RequestEffects effects,
            BiConsumer<String, @Nullable Object> attributeSet,
            FaultLog faults) {
        super(request);
        this.rules = rules;
        this.effects = effects;
        this.attributeSet = attributeSet;
        this.faults = faults;
        this.seen = rules.isEmpty();
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        super.setAttribute(name, value);
        attributeSet.accept(name, value);
    }

    @Override
    public @Nullable String getParameter(String name) {
        String value = super.getParameter(name);
        look();
        return value;
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = super.getParameterValues(name);
        look();
        return values;
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        Map<String, String[]> all = super.getParameterMap();
        look();
        return all;
    }

    @Override
    public Enumeration<String> getParameterNames() {
        Enumeration<String> names = super.getParameterNames();
        look();
        return names;
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        Collection<Part> parts = super.getParts();
        look();
        return parts;
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        Part part = super.getPart(name);
        look();
        return part;
    }

    private void look() {
        if (seen) {
            return;
        }
        seen = true;
        try {
            for (Rule rule : rules) {
                String[] values = super.getParameterValues(rule.name());
                if (values != null) {
                    for (String value : values) {
                        effects.found(rule, value);
                    }
                }
            }
        } catch (RuntimeException | Error fault) {
            faults.failed("Looking at the parameters of a watched request", fault);
        }
    }
}
