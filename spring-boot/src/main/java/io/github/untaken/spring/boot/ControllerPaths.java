package io.github.untaken.spring.boot;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletPath;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * The paths for which Spring MVC has a handler, word by word: a pattern such as that of a single-page application matches the path of
 * the endpoint, too, and does not mean it. Of a {@code RouterFunction} nobody can ask for its paths.
 */
record ControllerPaths(List<HandlerMapping> mappings, DispatcherServletPath servlet) {

    boolean contains(String path) {
        return mappings.stream()
                .flatMap(ControllerPaths::of)
                .anyMatch(direct -> servlet.getRelativePath(direct).equals(path));
    }

    private static Stream<String> of(HandlerMapping mapping) {
        if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
            return methods.getHandlerMethods().keySet().stream().flatMap(info -> info.getDirectPaths().stream());
        }
        return mapping instanceof AbstractUrlHandlerMapping urls
                ? urls.getHandlerMap().keySet().stream()
                : Stream.empty();
    }
}
