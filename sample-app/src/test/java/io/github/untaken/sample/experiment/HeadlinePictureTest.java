package io.github.untaken.sample.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.SignUpSite;
import io.github.untaken.sample.Sites;
import io.github.untaken.sample.experiment.Result.FalsePositives;
import io.github.untaken.sample.reads.CheckReads;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HeadlinePictureTest {
    @TempDir
    private Path data;

    @Test
    void barsAreAsLongAsTheirFiguresAndSayThem() throws Exception {
        String svg = HeadlinePicture.svg(result(8_000, 2_000, 1_000));
        assertThat(bars(svg)).containsExactly(400, 100, 50, 400, 100, 50);
        assertThat(svg)
                .contains(">8,000<", ">2,000<", ">1,000<", ">16,000<", "10,000 checks against 1,000 accounts")
                .contains("prefers-color-scheme: dark", "<title", "took turns in 9 rounds")
                .contains("40 % free names, 35 % typed letter by letter, 10 % taken names, 5 % popular taken names,")
                .contains("took 0 of 10 free texts for taken", "(estimated)");
    }

    @Test
    void anExperimentWithoutReadsIsDrawnToo() throws Exception {
        assertThat(bars(HeadlinePicture.svg(result(0, 0, 0)))).containsOnly(1);
    }

    @Test
    void theSiteDrawsWhatItCounted() throws Exception {
        Path file = data.resolve("headline.svg");
        try (SignUpSite site = Sites.start(data.resolve("data"))) {
            Sites.drawHeadline(site, file);
        }
        String svg = Files.readString(file);
        List<Integer> bars = bars(svg);
        assertThat(bars).hasSize(6);
        assertThat(bars.get(0)).isEqualTo(400);
        assertThat(bars.get(1)).isLessThan(200);
    }

    private static List<Integer> bars(String svg) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        NodeList found = document.getElementsByTagName("rect");
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            widths.add(Integer.valueOf(((Element) found.item(i)).getAttribute("width")));
        }
        return widths;
    }

    private static Result result(long none, long filter, long both) {
        List<Run> runs = List.of(
                run(Mode.NO_FILTER, none), run(Mode.MEMBERSHIP_FILTER, filter), run(Mode.FILTER_AND_WHITELIST, both));
        Result.Plan plan = new Result.Plan(1, 10_000, 1_000, Mix.DEFAULT);
        return new Result(plan, true, runs, new FalsePositives(10, 0), 3_000, 1_500);
    }

    private static Run run(Mode mode, long queries) {
        return new Run(
                mode, new CheckReads.Sum(queries, 2 * queries, 0, 0), 0, List.of(1.0), Map.of(), Optional.empty());
    }
}
