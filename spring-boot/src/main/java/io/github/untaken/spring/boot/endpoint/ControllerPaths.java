package io.github.untaken.spring.boot.endpoint;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * The literal paths for which Spring MVC has a handler. A pattern, such as that of a single-page application, matches the path of the
 * endpoint too, but does not mean it. A {@code RouterFunction} cannot be asked for its paths.
 *
 * @param servlet the path of the servlet, without a slash at its end
 */
record ControllerPaths(List<HandlerMapping> mappings, String servlet) {

    boolean contains(String path) {
        return mappings.stream().flatMap(ControllerPaths::of).anyMatch(direct -> (servlet + direct).equals(path));
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
