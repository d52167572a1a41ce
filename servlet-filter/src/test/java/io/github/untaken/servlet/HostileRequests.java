package io.github.untaken.servlet;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Requests that nobody sends in good faith, or in good order. Taken are alice and one phone number; the rest is free. */
final class HostileRequests {
    private static final String FORM = "application/x-www-form-urlencoded";

    private HostileRequests() {}

    /** What must come of a request. */
    enum Outcome {
        /** Status 400, or whatever the container says in its place, but never an answer. */
        REFUSED,
        /** Said to be taken, reserved or invalid. */
        NOT_AVAILABLE,
        /** The value is free, and may be said to be. */
        MAY_BE_AVAILABLE
    }

    /**
     * A request that has a form in both protocols.
     *
     * @param target path and query; its characters are bytes
     * @param headers names in small letters and values by turns
     * @param body its characters are bytes
     */
    record Hostile(String name, String method, String target, List<String> headers, String body, Outcome outcome) {

        byte[] http1() {
            StringBuilder text =
                    new StringBuilder(method + " /app" + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
            for (int i = 0; i < headers.size(); i += 2) {
                text.append(headers.get(i))
                        .append(": ")
                        .append(headers.get(i + 1))
                        .append("\r\n");
            }
            if (!body.isEmpty() && !headers.contains("content-length")) {
                text.append("Content-Length: ").append(body.length()).append("\r\n");
            }
            return (text + "\r\n" + body).getBytes(StandardCharsets.ISO_8859_1);
        }

        List<byte[]> http2() {
            List<String> fields = new ArrayList<>(
                    List.of(":method", method, ":scheme", "http", ":authority", "x", ":path", "/app" + target));
            fields.addAll(headers);
            byte[] block = RawHttp2.headers(fields.toArray(String[]::new));
            List<byte[]> frames = new ArrayList<>();
            int end = body.isEmpty() ? RawHttp2.END_STREAM : 0;
            frames.add(RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS | end, 1, block));
            if (!body.isEmpty()) {
                byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
                frames.add(RawHttp2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, bytes));
            }
            return frames;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Hostile> both() {
        List<Hostile> all = new ArrayList<>();
        for (String value : List.of(
                "%",
                "%%",
                "%4",
                "%zz",
                "%4z",
                "%z4",
                "ab%",
                "%-1",
                "%+1",
                "%u4e2d",
                "%u0061lice",
                "%80",
                "%BF",
                "%C3",
                "%C3x",
                "%E5%BC",
                "%F0%9F%98",
                "%E5%BC+",
                "%C0%80",
                "%C1%A1lice",
                "%C0%AF",
                "%E0%80%AF",
                "%E0%81%A1lice",
                "%F0%80%81%A1lice",
                "%F8%88%80%80%80",
                "%FC%84%80%80%80%80",
                "%ED%A0%80",
                "%ED%BF%BF",
                "%ED%A0%BD%ED%B8%80",
                "%F4%90%80%80",
                "%F7%BF%BF%BF",
                "%FE",
                "%FF",
                "alice%FF",
                "%FFalice",
                "%00",
                "%00alice",
                "alice%00",
                "alice%00x",
                "%C4%E3%BA%C3",
                "bob%E9",
                "%A1%A1",
                "%FE%FF%00a",
                "%61%6c%69%63%65%",
                "%0",
                "%G0",
                "%0G",
                "x%2",
                "%F0%28%8C%BC",
                "%E2%28%A1",
                "%C3%28",
                "%EF%BF",
                "%EF%BF%BE%ED%B0%80")) {
            all.add(get("encoding " + value, "username=" + value, Outcome.REFUSED));
        }
        for (String query : List.of(
                "",
                "&",
                "=",
                "==",
                "&&&&",
                "=alice",
                "username",
                "username=",
                "username=&",
                "username==&username=bob",
                "username&username",
                "username=bob&username=bob",
                "username=bob&username=alice",
                "username=bob&username=",
                "username=bob&%75sername=alice",
                "username[]=bob",
                "username%5B0%5D=bob",
                "username.x=bob",
                "Username=bob",
                "USERNAME=bob",
                "user%6eame=&username=bob",
                "username%00=bob",
                "username%20=bob",
                "+username=bob",
                "name=bob",
                "phone=13800138999",
                "phone=13800138000",
                "username=bob&phone=13800138999",
                "%zz=1&username=bob",
                "x=1;username=bob",
                "username%3Dbob",
                "amp;username=bob",
                "suggestions=true",
                "true")) {
            all.add(get("shape " + query, query, Outcome.REFUSED));
        }
        all.add(get("ten thousand parameters", "a=1&".repeat(1500) + "username=alice", Outcome.NOT_AVAILABLE));
        all.add(get("thousand times the same", "username=bob&".repeat(400), Outcome.REFUSED));
        all.add(get("257 bytes", "username=" + "b".repeat(257), Outcome.REFUSED));
        all.add(get("257 bytes, encoded", "username=" + "%62".repeat(257), Outcome.REFUSED));
        all.add(get("258 bytes of Han", "username=" + "%E5%BC%A0".repeat(86), Outcome.REFUSED));
        all.add(get("a long name", "x".repeat(4000) + "=1&username=alice", Outcome.NOT_AVAILABLE));
        for (String text : List.of(
                "ALICE",
                "aLiCe",
                "\uff21\uff2c\uff29\uff23\uff25",
                "\ud835\udcb6lice",
                "\u24d0lice",
                "ali\u200bce",
                "alice\u200d",
                "\ufeffalice",
                "ali\u00adce",
                "\u202ealice",
                "alice\u2066",
                " alice",
                "alice ",
                "alice\u00a0",
                "alice\u3000",
                "alice\t",
                "alice\n",
                "alice\r\nbob",
                "al\u0000ice".replace("\u0000", "\u0001"),
                "\u007falice",
                "alice\u0300\u0301\u0302\u0303\u0304\u0305\u0306",
                "\u0300alice",
                "\ue000lice",
                "\ufffelice",
                "\udb40\udc01alice",
                "admin",
                "ADMIN",
                "\uff52oot",
                "..",
                ".",
                "../alice",
                "a/b",
                "a\\b",
                "<script>",
                "'or'1'='1",
                "${jndi:ldap://x}",
                "%s%n",
                "alice.",
                "_alice",
                "-",
                "\ud83d\ude00",
                "\ufdfa",
                "\u0378\u0379\u0380")) {
            all.add(get(
                    "identifier " + escaped(text),
                    "username=" + URLEncoder.encode(text, StandardCharsets.UTF_8),
                    Outcome.NOT_AVAILABLE));
        }
        for (String method :
                List.of("PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "get", "G", "CONNECTX", "X".repeat(300))) {
            all.add(new Hostile(
                    "method " + method.substring(0, Math.min(9, method.length())),
                    method,
                    "/availability?username=bob",
                    List.of(),
                    "",
                    Outcome.REFUSED));
        }
        for (String type : List.of(
                "application/json",
                "text/plain",
                "multipart/form-data; boundary=x",
                "multipart/form-data",
                FORM + "; charset=GBK",
                FORM + ";charset=",
                FORM + "; charset=\"utf-16\"",
                FORM + "x",
                "x" + FORM,
                "application/*",
                "*/*",
                "/",
                ";",
                "é",
                "application/x-www-form-urlencoded, application/json")) {
            all.add(post("type " + type, List.of("content-type", type), "username=bob", Outcome.REFUSED));
        }
        for (String charset :
                List.of("utf-7", "'", "a b", "x-nonexistent", "utf8", "utf-8x", "\"", "utf-8,utf-8", "GBK")) {
            all.add(post(
                    "charset " + charset,
                    List.of("content-type", FORM + "; charset=" + charset),
                    "username=bob",
                    Outcome.REFUSED));
        }
        for (String none : List.of("charset=", "x=y; charset= ;z", "Charset=\"\"", "charset")) {
            all.add(post(
                    "no charset in " + none,
                    List.of("content-type", FORM + ";" + none),
                    "username=bob",
                    Outcome.REFUSED));
        }
        List<String> form = List.of("content-type", FORM);
        all.add(post("no type", List.of(), "username=bob", Outcome.REFUSED));
        all.add(post(
                "gzip", List.of("content-type", FORM, "content-encoding", "gzip"), "username=bob", Outcome.REFUSED));
        all.add(post(
                "nested encodings",
                List.of("content-type", FORM, "content-encoding", "br, gzip"),
                "username=bob",
                Outcome.REFUSED));
        for (String body : List.of(
                "username=%zz",
                "username=bob&username=alice",
                "username=",
                "username=\u00ff",
                "username=b\u0000b",
                "\u0000",
                "=",
                "{\"username\":\"bob\"}",
                "username=%FF",
                "username=%C0%80",
                "--x\r\n\r\nusername=bob",
                "phone=%",
                "phone=",
                "phone=\u0000",
                "username=\u00e5\u00bc")) {
            all.add(post("body " + escaped(body), form, body, Outcome.REFUSED));
        }
        List<String> json = List.of("content-type", "application/json");
        for (String body : List.of(
                "username=bob",
                "",
                "{",
                "null",
                "{\"username\":\"bob\"",
                "{\"username\":\"bob\"}\u0000",
                "{\"username\":\"bob\"}{\"username\":\"alice\"}",
                "{\"username\":\"bob\",\"\\u0075sername\":\"alice\"}",
                "{\"username\":[\"bob\"]}",
                "{\"username\":true}",
                "{\"username\":\"b\\u0000b\"}",
                "{\"username\":\"bob\\udc00\"}",
                "{\"username\":\"bob\u00ff\"}",
                "{\"username\":\"bob\n\"}",
                "{\"username\":\"bob\",\"x\":01}",
                "{\"phone\":13800138999}",
                "{\"username\":\"bob\",\"x\":" + "{\"x\":".repeat(1000) + "1" + "}".repeat(1000) + "}")) {
            all.add(post(
                    "json " + escaped(body.substring(0, Math.min(60, body.length()))), json, body, Outcome.REFUSED));
        }
        all.add(post("a taken name in json", json, "{\"username\":\"\\u0041lice\"}", Outcome.NOT_AVAILABLE));
        all.add(post("8193 bytes", form, "username=bob&x=" + "y".repeat(8193 - 15), Outcome.REFUSED));
        all.add(post("16 KiB", form, "username=bob&" + "y".repeat(16_000), Outcome.REFUSED));
        all.add(post("a field in both places", form, "username=bob", Outcome.REFUSED, "?username=bob"));
        all.add(post("phone in both places", form, "phone=13800138999", Outcome.REFUSED, "?phone=13800138999"));
        all.add(post("a query that cannot be read", form, "username=bob", Outcome.REFUSED, "?%zz=1"));
        all.add(post("a taken number", form, "phone=%2B13800138000", Outcome.NOT_AVAILABLE));
        all.add(post("digits of no script", form, "phone=%D9%A1%D9%A2%D9%A3", Outcome.NOT_AVAILABLE));
        all.add(new Hostile(
                "a body for GET", "GET", "/availability?username=alice", form, "username=bob", Outcome.NOT_AVAILABLE));
        for (String header : List.of(
                "accept-language",
                "x-forwarded-for",
                "forwarded",
                "cookie",
                "range",
                "if-none-match",
                "x-http-method-override",
                "origin",
                "te",
                "accept",
                "accept-charset",
                "x-original-url")) {
            all.add(new Hostile(
                    "header " + header,
                    "GET",
                    "/availability?username=alice",
                    List.of(
                            header,
                            header.equals("te") ? "trailers" : "\";,=zz-ZZ;q=9, 1.2.3.4, 0-0/" + "x".repeat(500)),
                    "",
                    Outcome.NOT_AVAILABLE));
        }
        for (String path : List.of(
                "/availability/",
                "/availability;x=1",
                "//availability",
                "/./availability",
                "/x/../availability",
                "/%61vailability",
                "/availability%2F",
                "/availability%00",
                "/availability%3b",
                "/x/..;/availability",
                "/%2e/availability",
                "/availability/.",
                "/availability%ED%A0%80",
                "/avail%zzbility",
                "/Availability",
                "/availability%20",
                "/availability%0a")) {
            all.add(new Hostile("path " + path, "GET", path + "?username=alice", List.of(), "", Outcome.NOT_AVAILABLE));
        }
        all.add(get("free", "username=bob", Outcome.MAY_BE_AVAILABLE));
        return all;
    }

    /** What only HTTP/1.1 can say. */
    static List<String> http1() {
        String line = "GET /app/availability?username=bob HTTP/1.1\r\n";
        String post =
                "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: " + FORM + "\r\n";
        List<String> all = new ArrayList<>(List.of(
                "",
                "\r\n\r\n\r\n",
                "G",
                "GET",
                "GET /app/availability?username=bob",
                line,
                line + "Host: x",
                line + "Host: x\r\nHost: y\r\n\r\n",
                line + "\r\n",
                line + "Host x\r\nConnection: close\r\n\r\n",
                line + "Host: x\r\n : y\r\nConnection: close\r\n\r\n",
                line + "Host: x\r\nA\u0000: b\r\nConnection: close\r\n\r\n",
                line + "Host: x\r\nA: b\u0000\r\nConnection: close\r\n\r\n",
                line + "Host: x\r\nA : b\r\nConnection: close\r\n\r\n",
                line + "Host: x\r\n" + "A: b\r\n".repeat(1000) + "\r\n",
                line + "Host: x\r\nA: " + "b".repeat(70_000) + "\r\n\r\n",
                line + "Host: x\r\nExpect: nothing\r\nConnection: close\r\n\r\n",
                line + "Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: zz!\r\n\r\n",
                line + "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
                "GET /app/availability?username=al ice HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /app/availability?username=\u00e9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /app/availability?username=<b> HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /app/availability?username=\"{|}^` HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET  /app/availability?username=alice HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /app/availability?username=alice#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /app/availability?username=alice HTTP/1.2\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /app/availability?username=alice HTTP/3.0\r\nHost: x\r\n\r\n",
                "GET /app/availability?username=alice HTTP/0.9\r\nHost: x\r\n\r\n",
                "GET /app/availability?username=alice\r\n\r\n",
                "GET x:/app/availability?username=alice HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET http://y/app/availability?username=alice HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET app/availability?username=alice HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "CONNECT /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "\u0000\u0001\u0002\u0003\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001",
                post + "Content-Length: -1\r\n\r\nusername=alice",
                post + "Content-Length: x\r\n\r\nusername=alice",
                post + "Content-Length: 99999999999999999999\r\n\r\nusername=alice",
                post + "Content-Length: 9000\r\n\r\n",
                post + "Content-Length: 14\r\nContent-Length: 3\r\n\r\nusername=alice",
                post + "Content-Length: 14, 14\r\n\r\nusername=alice",
                post + "Content-Length: 50\r\n\r\nusername=bob",
                post + "Content-Length: 0\r\n\r\nusername=alice",
                post + "Content-Length: 14\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nusername=bobby",
                post + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
                post + "Transfer-Encoding: xchunked\r\n\r\nusername=alice",
                post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
                post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                post + "Transfer-Encoding: chunked\r\n\r\n-1\r\nusername=alice\r\n0\r\n\r\n",
                post + "Transfer-Encoding: chunked\r\n\r\nfffffffff\r\nusername=alice",
                post + "Transfer-Encoding: chunked\r\n\r\nc\r\nusername=bob",
                post + "Transfer-Encoding: chunked\r\n\r\nc\r\nusername=bobX\r\n0\r\n\r\n",
                post + "Transfer-Encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(8193) + "0\r\n\r\n",
                post + "Expect: 100-continue\r\nContent-Length: 9000\r\n\r\n"));
        IntStream.rangeClosed(1, 5).forEach(i -> all.add(line.substring(0, line.length() * i / 6) + "\n"));
        return all;
    }

    /** What only HTTP/2 can say. */
    static List<List<byte[]>> http2() {
        String[] good = {
            ":method", "GET", ":scheme", "http", ":authority", "x", ":path", "/app/availability?username=bob"
        };
        byte[] get = RawHttp2.headers(good);
        int whole = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
        List<List<byte[]>> all = new ArrayList<>();
        for (String[] fields : new String[][] {
            {":method", "GET", ":scheme", "http", ":authority", "x"},
            {":method", "GET", ":scheme", "http", ":path", ""},
            {":method", "GET", ":scheme", "http", ":path", "app/availability?username=bob"},
            {":method", "GET", ":scheme", "http", ":path", "*"},
            {":method", "GET", ":path", "/app/availability?username=bob"},
            {":scheme", "http", ":path", "/app/availability?username=bob"},
            {":method", "GET", ":method", "POST", ":scheme", "http", ":path", "/app/availability?username=bob"},
            {":method", "GET", ":scheme", "http", ":path", "/app/availability?username=b\r\nob"},
            {":method", "GET", ":scheme", "http", ":path", "/app/availability?username=b\u0000b"},
            {":method", "G T", ":scheme", "http", ":path", "/app/availability?username=bob"},
            {"accept", "x", ":method", "GET", ":scheme", "http", ":path", "/app/availability?username=bob"},
            {":method", "GET", ":scheme", "http", ":path", "/app/availability?username=bob", ":status", "200"},
            {":method", "GET", ":scheme", "http", ":path", "/app/availability?username=bob", "Upper", "x"},
            {":method", "GET", ":scheme", "http", ":path", "/app/availability?username=bob", "connection", "close"},
            {
                ":method",
                "GET",
                ":scheme",
                "http",
                ":path",
                "/app/availability?username=bob",
                "transfer-encoding",
                "chunked"
            },
            {":method", "GET", ":scheme", "http", ":path", "/app/availability?username=bob", "", "x"},
            {":method", "GET", ":scheme", "http", ":path", "/app/availability?username=bob", "a", "x\r\ny: z"},
        }) {
            all.add(List.of(RawHttp2.frame(RawHttp2.HEADERS, whole, 1, RawHttp2.headers(fields))));
        }
        String[] form = {":method", "POST", ":scheme", "http", ":path", "/app/availability", "content-type", FORM};
        byte[] post = RawHttp2.headers(form);
        byte[] body = "username=bob".getBytes(StandardCharsets.US_ASCII);
        byte[] length3 = RawHttp2.headers(
                ":method",
                "POST",
                ":scheme",
                "http",
                ":path",
                "/app/availability",
                "content-type",
                FORM,
                "content-length",
                "3");
        all.add(List.of(RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, post))); // never ends
        all.add(List.of(
                RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, post),
                RawHttp2.frame(RawHttp2.DATA, 0, 1, body)));
        all.add(List.of(
                RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, post),
                RawHttp2.frame(RawHttp2.RST_STREAM, 0, 1, new byte[] {0, 0, 0, 8})));
        all.add(List.of(
                RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, length3),
                RawHttp2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, body)));
        all.add(List.of(RawHttp2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, body)));
        all.add(List.of(RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, get))); // headers never end
        all.add(List.of(RawHttp2.frame(RawHttp2.HEADERS, whole, 2, get)));
        all.add(List.of(RawHttp2.frame(RawHttp2.HEADERS, whole, 0, get)));
        all.add(List.of(RawHttp2.frame(RawHttp2.HEADERS, whole, 1, new byte[] {(byte) 0xff, 1, 2, 3})));
        all.add(List.of(RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, new byte[] {1, 2, 3})));
        all.add(List.of(RawHttp2.frame(99, 255, 1, body), RawHttp2.frame(RawHttp2.GOAWAY, 0, 0, new byte[8])));
        all.add(List.of(RawHttp2.frame(RawHttp2.HEADERS, whole | 8, 1, new byte[] {(byte) 200, 1})));
        all.add(List.of("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        return all;
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.chars().forEach(c -> out.append(c > 0x20 && c < 0x7f ? "" + (char) c : String.format("<%x>", c)));
        return out.toString();
    }

    private static Hostile get(String name, String query, Outcome outcome) {
        return new Hostile(name, "GET", "/availability?" + query, List.of(), "", outcome);
    }

    private static Hostile post(String name, List<String> headers, String body, Outcome outcome) {
        return post(name, headers, body, outcome, "");
    }

    private static Hostile post(String name, List<String> headers, String body, Outcome outcome, String query) {
        return new Hostile(name, "POST", "/availability" + query, headers, body, outcome);
    }
}
