package io.github.untaken.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Beside Jackson, which reads the same texts. */
class JsonFieldsTest {
    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static List<String> members(String json) throws Refusal {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        JsonFields members = new JsonFields(body, body.length);
        List<String> found = new ArrayList<>();
        while (members.next()) {
            found.add(members.name() + "->" + members.text() + (members.isTrue() ? "!" : ""));
        }
        return found;
    }

    @Test
    void readsTextsAndPassesOverTheRest() throws Exception {
        assertThat(members(" {\"a\" : \"1\" ,\"b\":[ {\"c\":\"2\"} , [] , {} ],\"\":\"\",\r\n\t\"d\":-1.5E-2,"
                        + "\"e\":true,\"f\":\"true\",\"a\":null, \"g\":[true]} "))
                .containsExactly("a->1", "b->null", "->", "d->null", "e->null!", "f->true", "a->null", "g->null");
        assertThat(members("{}")).isEmpty();
        assertThat(members("{ }")).isEmpty();
    }

    @Test
    void unescapesNamesAndTexts() throws Exception {
        assertThat(members("{\"\\u0061\\/\":\"\\\"\\\\\\b\\f\\n\\r\\t\\u5F20\\ud83d\\uDE00\u5f20\ud83d\ude00\"}"))
                .containsExactly("a/->\"\\\b\f\n\r\t\u5f20\ud83d\ude00\u5f20\ud83d\ude00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[]",
                "\"a\"",
                "1",
                "null",
                "{}}",
                "{}{}",
                "{},",
                "\ufeff{}",
                "{} \u00a0",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,\"a\":1}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":1,,\"b\":2}",
                "{a:1}",
                "{'a':1}",
                "{\"a\":'1'}",
                "{1:1}",
                "{\"a\":01}",
                "{\"a\":1.}",
                "{\"a\":.5}",
                "{\"a\":+1}",
                "{\"a\":-}",
                "{\"a\":1e}",
                "{\"a\":0x1}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":True}",
                "{\"a\":truex}",
                "{\"a\":[1,]}",
                "{\"a\":[,1]}",
                "{\"a\":[1}",
                "{\"a\":{\"b\"}}",
                "{\"a\":{\"b\":1]}",
                "{\"a\":{1:1}}",
                "{\"a\":\"1}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\t\"}",
                "{\"a\":\"\u0000\"}",
                "{\"a\":\"\\\"}",
                "{\"a\":\"\\x41\"}",
                "{\"a\":\"\\'\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\\u-123\"}",
                "{\"a\":\"\\U0041\"}",
                "{\"a\":\"\\u\u0661\u0661\u0661\u0661\"}",
                "{\"a\":\"\\ud800\"}",
                "{\"a\":\"\\udc00\\ud800\"}",
                "{\"a\":\"\\ud800x\\udc00\"}",
                "{\"\\ud800\":1}",
                "{\"b\":{\"a\":\"\\ud800\"}}",
                "{\"a\":1}/**/",
                "//\n{}",
                "{\"a\":1}\u2028",
            })
    void refusesWhatIsNotOneObject(String json) {
        assertThatThrownBy(() -> members(json))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.problem()).isEqualTo(Problem.MALFORMED));
    }

    @Test
    void refusesWhatIsDeeperThanItWillFollow() throws Exception {
        int most = JsonFields.DEEPEST - 1;
        assertThat(members("{\"a\":" + "[".repeat(most) + "]".repeat(most) + "}"))
                .hasSize(1);
        assertThat(members("{\"a\":" + "{\"a\":".repeat(most) + "1" + "}".repeat(most) + "}"))
                .hasSize(1);
        for (int deep : new int[] {most + 1, 8000}) {
            assertThatThrownBy(() -> members("{\"a\":" + "[".repeat(deep) + "]".repeat(deep) + "}"))
                    .isInstanceOf(Refusal.class);
        }
    }

    /** Whatever is read, Jackson reads likewise; what Jackson takes is taken, but for halves of characters. */
    @Test
    void readsWhatJacksonReads() {
        long seed = Seed.of(JsonFieldsTest.class, 32);
        Random random = new Random(seed);
        String[] pieces = {
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"",
            "\"a\"",
            "\"b\"",
            "\"\\u0061\"",
            "\\",
            "\\n",
            "\\ud83d",
            "\\ude00",
            "1",
            "-0.5e3",
            "0",
            "true",
            "null",
            " ",
            "\n",
            "\u5f20",
            "\ud83d\ude00",
            "\"a\":\"b\"",
            "\"a\":",
            ",\"c\":[",
            "x"
        };
        int both = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder json = new StringBuilder("{");
            for (int n = random.nextInt(9); n > 0; n--) {
                json.append(pieces[random.nextInt(pieces.length)]);
            }
            json.append(random.nextInt(8) == 0 ? "" : "}");
            List<String> ours;
            try {
                ours = members(json.toString());
            } catch (Refusal refusal) {
                ours = null;
            }
            JsonNode theirs;
            try {
                theirs = JACKSON.readTree(json.toString());
            } catch (JacksonException e) {
                theirs = null;
            }
            boolean halves = json.indexOf("\\ud") >= 0;
            assertThat(ours != null)
                    .as("seed %d: %s", seed, json)
                    .isEqualTo(theirs != null && (!halves || ours != null));
            if (ours != null && theirs != null) {
                both++;
                // Of members with one name Jackson keeps the last.
                for (var member : theirs.properties()) {
                    String text =
                            member.getValue().isString() ? member.getValue().stringValue() : null;
                    assertThat(ours)
                            .as("seed %d: %s", seed, json)
                            .contains(member.getKey() + "->" + text
                                    + (member.getValue().isBoolean()
                                                    && member.getValue().booleanValue()
                                            ? "!"
                                            : ""));
                }
            }
        }
        assertThat(both).isGreaterThan(5_000);
    }

    @Test
    void survivesAnyBytes() {
        long seed = Seed.of(JsonFieldsTest.class, 33);
        Random random = new Random(seed);
        byte[] whole = "{\"username\":\"ali\\u0063e\",\"x\":[{\"y\":1.5e3},true]}".getBytes(StandardCharsets.US_ASCII);
        int read = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] body = whole.clone();
            for (int n = random.nextInt(3); n > 0; n--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            try {
                JsonFields members = new JsonFields(body, body.length - (random.nextInt(4) == 0 ? 1 : 0));
                while (members.next()) {
                    read++;
                }
            } catch (Refusal refusal) {
                assertThat(refusal.problem()).as("seed %d", seed).isEqualTo(Problem.MALFORMED);
            }
        }
        assertThat(read).isPositive();
    }
}
