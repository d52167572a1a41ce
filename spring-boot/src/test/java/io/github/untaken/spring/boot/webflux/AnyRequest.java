package io.github.untaken.spring.boot.webflux;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A request to the endpoint, nearly as one should be, of characters that may stand in an address. */
record AnyRequest(String method, String target, List<String> headers, String body) {
    private static final List<String> METHODS = List.of(
            "GET", "GET", "GET", "GET", "HEAD", "POST", "POST", "POST", "POST", "OPTIONS", "PUT", "DELETE", "PATCH");

    private static final List<String> PATHS = List.of("/availability", "/%61vailability");
    private static final List<String> NAMES =
            List.of("username", "username", "username", "suggestions", "other", "user%6Eame", "Username", "");
    private static final List<String> VALUES = List.of(
            "alice",
            "bob",
            "Al%69ce",
            "true",
            "",
            "admin",
            "%zz",
            "%",
            "%00",
            "a+b",
            "%5Bx",
            "%E5%BC%A0%E4%B8%89",
            "%C3",
            "%ED%A0%80",
            "o'brien",
            "x".repeat(256),
            "x".repeat(257),
            "a;b",
            "a=b",
            "a%26username=c");
    private static final List<String> JSON = List.of(
            "{\"username\":\"alice\"}",
            "{\"username\":\"bob\",\"suggestions\":true}",
            "{\"username\":\"alice\",\"suggestions\":\"true\"}",
            "{\"username\":\"a\",\"username\":\"b\"}",
            "{\"username\":null}",
            "{\"username\":[\"alice\"]}",
            "{\"username\":\"\\u0000\"}",
            "{\"username\":\"\\ud800\"}",
            "{\"username\":\"\"}",
            "{}",
            "[]",
            "",
            "\ufeff{\"username\":\"alice\"}",
            "{\"username\":\"alice\"} x",
            "[".repeat(900));
    private static final List<String> TYPES = List.of(
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded",
            "application/json",
            "application/json",
            "application/json;charset=utf-8",
            "application/x-www-form-urlencoded; charset=\"UTF-8\"",
            "application/x-www-form-urlencoded; charset=iso-8859-1",
            "application/x-www-form-urlencoded; charset=",
            "application/problem+json",
            "text/plain");
    private static final List<String> OTHERS = List.of(
            "Origin: https://www.example.org",
            "Origin: https://evil.example",
            "Origin: null",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
            "Sec-Fetch-Site: same-origin",
            "Access-Control-Request-Method: POST",
            "Accept-Language: de",
            "Accept-Language: zz;q=2, de;q=0.5",
            "Accept: text/html",
            "Content-Encoding: gzip",
            "Content-Encoding: identity",
            "X-Forwarded-For: 192.0.2.1",
            "Forwarded: for=_x",
            "Cookie: SESSION=made-up; other",
            "Authorization: Bearer x");

    static AnyRequest by(Random random) {
        String method = one(METHODS, random);
        String target = one(PATHS, random);
        if (random.nextInt(4) != 0 && !method.equals("POST") || random.nextInt(8) == 0) {
            target += "?" + pairs(random).replaceAll("%(?![0-9A-Fa-f]{2})", ""); // which Netty refuses
        }
        List<String> headers = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            headers.add(one(OTHERS, random));
        }
        String body = "";
        if (method.equals("POST")) {
            String type = one(TYPES, random);
            if (random.nextInt(20) != 0) {
                headers.add("Content-Type: " + type);
            }
            body = type.contains("json") ? one(JSON, random) : pairs(random);
        }
        return new AnyRequest(method, target, headers, body);
    }

    private static String pairs(Random random) {
        List<String> pairs = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String name = one(NAMES, random);
            pairs.add(random.nextInt(10) == 0 ? name : name + "=" + one(VALUES, random));
        }
        return String.join("&", pairs);
    }

    private static String one(List<String> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    byte[] bytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        headers.forEach(header -> text.append(header).append("\r\n"));
        if (method.equals("POST")) {
            text.append("Content-Length: ")
                    .append(body.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n");
        }
        return text.append("\r\n").append(body).toString();
    }
}
