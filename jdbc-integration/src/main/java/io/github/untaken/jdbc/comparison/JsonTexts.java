package io.github.untaken.jdbc.comparison;

import java.util.List;

/** Many texts as one parameter, for databases without arrays. */
final class JsonTexts {
    private JsonTexts() {}

    /** A JSON array (RFC 8259) of strings. */
    static String array(List<String> texts) {
        StringBuilder json = new StringBuilder("[");
        for (String text : texts) {
            json.append(json.length() == 1 ? "\"" : ",\"");
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '"' || c == '\\') {
                    json.append('\\').append(c);
                } else if (c < ' ') {
                    json.append(String.format("\\u%04x", (int) c));
                } else {
                    json.append(c);
                }
            }
            json.append('"');
        }
        return json.append(']').toString();
    }
}
