package io.github.untaken.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

/** Who imports {@code untaken-bom} gets every published module, and no version of anything else. */
class BomTest {
    private static final Path ROOT = Path.of("..");
    private static final String MANAGED = "/project/dependencyManagement/dependencies/dependency";

    @Test
    void listsEveryPublishedModuleAndNothingElse() throws Exception {
        assertThat(texts("bom", MANAGED + "/artifactId")).containsExactlyInAnyOrderElementsOf(published());
        assertThat(texts("bom", MANAGED + "/groupId")).containsOnly("io.github.untaken");
        assertThat(texts("bom", MANAGED + "/version")).containsOnly("${project.version}");
    }

    private static List<String> published() throws Exception {
        List<String> artifacts = new ArrayList<>();
        for (String module : texts(".", "/project/modules/module")) {
            if (!module.equals("bom") && texts(module, "//maven.deploy.skip").isEmpty()) {
                artifacts.addAll(texts(module, "/project/artifactId"));
            }
        }
        return artifacts;
    }

    private static List<String> texts(String module, String path) throws Exception {
        try (var pom = Files.newInputStream(ROOT.resolve(module).resolve("pom.xml"))) {
            var document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom);
            var nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength())
                    .mapToObj(i -> nodes.item(i).getTextContent())
                    .toList();
        }
    }
}
