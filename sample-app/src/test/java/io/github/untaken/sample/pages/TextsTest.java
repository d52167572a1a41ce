package io.github.untaken.sample.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class TextsTest {

    @Test
    void bothLanguagesSayTheSameThings() throws Exception {
        Properties english = texts("texts_en.properties");
        Properties chinese = texts("texts_zh.properties");
        assertThat(chinese.keySet()).isEqualTo(english.keySet());
        assertThat(english.values()).noneMatch(text -> text.toString().isBlank());
        assertThat(chinese.values()).noneMatch(text -> text.toString().isBlank());
    }

    private static Properties texts(String file) throws Exception {
        Properties texts = new Properties();
        try (Reader reader = new InputStreamReader(Texts.resource(file), StandardCharsets.UTF_8)) {
            texts.load(reader);
        }
        return texts;
    }
}
