package io.github.untaken.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.testkit.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proxies are 10.0.0.0/8 and 2001:db8:aaaa::/48; 203.0.113.9 and 2001:db8::7 are clients; 6.6.6.6 is made up by one. */
class ForwardedForTest {
    private static final List<IpNetwork> PROXIES =
            List.of(IpNetwork.parse("10.0.0.0/8"), IpNetwork.parse("2001:db8:aaaa::/48"));

    private static String client(boolean standard, String lines) {
        return new ForwardedFor(standard, PROXIES)
                .client(lines.isEmpty() ? List.of() : Arrays.asList(lines.split("\\|", -1)))
                .map(address -> address.clientText(128))
                .orElse("the socket");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';the socket",
                "203.0.113.9;203.0.113.9",
                "6.6.6.6, 203.0.113.9;203.0.113.9",
                "6.6.6.6,203.0.113.9,10.0.0.1;203.0.113.9",
                "6.6.6.6,203.0.113.9 , 10.0.0.1,\t10.9.9.9;203.0.113.9",
                "10.0.0.1;10.0.0.1",
                "10.0.0.1, 10.0.0.2;10.0.0.1",
                "6.6.6.6|203.0.113.9;203.0.113.9",
                "6.6.6.6, 6.6.6.7|203.0.113.9, 10.0.0.1|10.0.0.2;203.0.113.9",
                "garbage, 203.0.113.9;203.0.113.9",
                "\", 203.0.113.9;203.0.113.9",
                "203.0.113.9:1234;203.0.113.9",
                "::ffff:203.0.113.9;203.0.113.9",
                "2001:db8::7;2001:db8:0:0:0:0:0:7/128",
                "[2001:db8::7];2001:db8:0:0:0:0:0:7/128",
                "[2001:db8::7]:443;2001:db8:0:0:0:0:0:7/128",
                "203.0.113.9, 2001:db8:aaaa::1;203.0.113.9",
                "203.0.113.9, ;the socket",
                ",;the socket",
                "203.0.113.9,,10.0.0.1;the socket",
                "203.0.113.9, unknown;the socket",
                "203.0.113.9, unknown, 10.0.0.1;the socket",
                "203.0.113.9, proxy.example.org;the socket",
                "203.0.113.9, 10.0.0.01;the socket",
                "203.0.113.9 10.0.0.1;the socket",
                "203.0.113.9:;the socket",
                "203.0.113.9:http;the socket",
                "203.0.113.9:123456;the socket",
                "[203.0.113.9;the socket",
                "[2001:db8::7]x;the socket",
                "[2001:db8::7]:;the socket",
                "\"203.0.113.9\";the socket",
                "for=203.0.113.9;the socket",
                "0xcb007109;the socket",
                "3405803785;the socket",
                "2001:db8::7%eth0;the socket",
            })
    void theListIsReadFromTheRight(String lines, String expected) {
        assertThat(client(false, lines)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "for=203.0.113.9~203.0.113.9",
                "For=203.0.113.9;proto=https;by=10.0.0.1~203.0.113.9",
                "proto=http;FOR=\"203.0.113.9\"~203.0.113.9",
                "for=6.6.6.6, for=203.0.113.9~203.0.113.9",
                "for=6.6.6.6, for=203.0.113.9, for=10.0.0.1~203.0.113.9",
                "for=6.6.6.6|for=203.0.113.9, for=10.0.0.1~203.0.113.9",
                "for=\"203.0.113.9:80\"~203.0.113.9",
                "for=\"[2001:db8::7]\"~2001:db8:0:0:0:0:0:7/128",
                "for=\"[2001:db8::7]:80\"~2001:db8:0:0:0:0:0:7/128",
                "for=_hidden, for=203.0.113.9~203.0.113.9",
                "for=6.6.6.6;x=\"a, for=6.6.6.7\", for=203.0.113.9~203.0.113.9",
                "for=\"\\2\\03.0.113.9\"~203.0.113.9",
                "for=203.0.113.9;for=6.6.6.6~the socket",
                "for=6.6.6.6;for=203.0.113.9, for=10.0.0.1~the socket",
                "proto=https~the socket",
                "for=203.0.113.9, proto=https~the socket",
                "for=203.0.113.9, for=unknown~the socket",
                "for=203.0.113.9, for=_proxy~the socket",
                "for=6.6.6.6;x=\", for=203.0.113.9~the socket",
                "for=6.6.6.6;x=\"\\, for=203.0.113.9~the socket",
                "for=6.6.6.6;x=\", for=\"[2001:db8::7]\"~the socket",
                "for=~the socket",
                "203.0.113.9~the socket",
                "for=203.0.113.9,~the socket",
                "for = 203.0.113.9~the socket",
            })
    void theStandardHeaderIsReadFromTheRight(String lines, String expected) {
        assertThat(client(true, lines)).isEqualTo(expected);
    }

    @Test
    void whateverAClientSendsItIsNobodyElse() {
        Random random = new Random(Seed.of(ForwardedForTest.class, 9));
        String alphabet = "0123456789abcdef:.,;=\"\\[] forFOR6%_\t";
        for (int i = 0; i < 50_000; i++) {
            StringBuilder made = new StringBuilder();
            for (int n = random.nextInt(30); n > 0; n--) {
                made.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertThat(client(false, made + ", 203.0.113.9"))
                    .as(made.toString())
                    .isEqualTo("203.0.113.9");
            assertThat(client(false, made + "|203.0.113.9, 10.0.0.1")).isEqualTo("203.0.113.9");
            assertThat(client(true, made + "|for=203.0.113.9")).isEqualTo("203.0.113.9");
            assertThat(client(true, made + ", for=203.0.113.9"))
                    .as(made.toString())
                    .isIn("203.0.113.9", "the socket");
            assertThat(client(true, made + ", for=\"203.0.113.9\"")).isIn("203.0.113.9", "the socket");
        }
    }

    @Test
    void aHeaderWithoutEndIsNotFollowed() {
        assertThat(client(false, "203.0.113.9" + ", 10.0.0.1".repeat(31))).isEqualTo("203.0.113.9");
        assertThat(client(false, "203.0.113.9" + ", 10.0.0.1".repeat(32))).isEqualTo("the socket");
        assertThat(client(false, " ".repeat(5000) + "203.0.113.9")).isEqualTo("the socket");
    }
}
