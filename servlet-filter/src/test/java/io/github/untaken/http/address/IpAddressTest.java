package io.github.untaken.http.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.untaken.testkit.Seed;
import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    private static String client(String text) {
        return IpAddress.parse(text).orElseThrow().clientText(64);
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, 203.0.113.9",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "::ffff:203.0.113.9, 203.0.113.9",
        "::FFFF:cb00:7109, 203.0.113.9",
        "0:0:0:0:0:ffff:203.0.113.9, 203.0.113.9",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:0:0:0:0/64",
        "2001:DB8:1:2::, 2001:db8:1:2:0:0:0:0/64",
        "2001:0db8:0001:0002:ffff:ffff:ffff:ffff, 2001:db8:1:2:0:0:0:0/64",
        "::, 0:0:0:0:0:0:0:0/64",
        "::1, 0:0:0:0:0:0:0:0/64",
        "1::, 1:0:0:0:0:0:0:0/64",
        "::2, 0.0.0.2",
        "::203.0.113.9, 203.0.113.9",
        "64:ff9b::203.0.113.9, 203.0.113.9",
        "64:ff9b::cb00:7109, 203.0.113.9",
        "64:ff9b::, 0.0.0.0",
        "64:ff9b:1::203.0.113.9, 64:ff9b:1:0:0:0:0:0/64",
        "64:ff9b::1:203.0.113.9, 64:ff9b:0:0:0:0:0:0/64",
    })
    void namesTheClient(String text, String expected) {
        assertThat(client(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "unknown",
                "localhost",
                "example.org",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.-4",
                "01.2.3.4",
                "1.2.3.04",
                "1..3.4",
                ".1.2.3",
                "1.2.3.",
                "0x7f.0.0.1",
                "2130706433",
                "1.2.3.4 ",
                "1.2.3.\u0664",
                ":",
                ":::",
                "::1::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "::1%eth0",
                "[::1]",
                "1.2.3.4:80",
                "::1.2.3",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:",
                ":1",
                "+1::",
                "\uff11::",
                "1.2.3.4%0",
                "0000000000000000000000000000000000000000000001"
            })
    void refusesWhatIsNoAddress(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001:db8::7", "[2001:db8::7]", "2001:db8::7%eth0", "[2001:db8::7%2]"})
    void aPeerIsTheSameInBracketsAndWithAZone(String text) {
        assertThat(IpAddress.ofPeer(text)).isEqualTo(IpAddress.parse("2001:db8::7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[", "[]", "[2001:db8::7", "2001:db8::7]", "%", "/run/app.sock", "[1.2.3.4]:80"})
    void aPeerInAnotherFormHasNoAddress(String text) {
        assertThat(IpAddress.ofPeer(text)).isEmpty();
    }

    @Test
    void agreesWithTheJdk() throws Exception {
        Random random = new Random(Seed.of(IpAddressTest.class, 7));
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(bytes);
            for (int j = 0; j < bytes.length; j++) {
                if (random.nextInt(3) == 0) {
                    bytes[j] = 0;
                }
            }
            InetAddress address = InetAddress.getByAddress(bytes);
            IpAddress ours = IpAddress.parse(address.getHostAddress()).orElseThrow();
            assertThat(ours.bits()).isEqualTo(address.getAddress().length * 8);
            long low = 0;
            for (byte b : address.getAddress()) {
                low = low << 8 | b & 255;
            }
            assertThat(ours.low()).as(address.toString()).isEqualTo(low);
            // The JDK writes IPv6 addresses in the same form.
            if (ours.bits() == 128) {
                assertThat(ours.networkText(128)).isEqualTo(address.getHostAddress() + "/128");
            }
        }
    }

    @Test
    void aMillionAddressesOfOneNetworkAreOneClient() {
        Random random = new Random(Seed.of(IpAddressTest.class, 8));
        for (int i = 0; i < 100_000; i++) {
            String address = "2001:db8:1:2:" + Long.toHexString(random.nextLong(1 << 16)) + ":"
                    + Long.toHexString(random.nextLong(1 << 16)) + "::";
            assertThat(client(address)).isEqualTo("2001:db8:1:2:0:0:0:0/64");
        }
        assertThat(IpAddress.parse("2001:db8:1:2ff::1").orElseThrow().clientText(56))
                .isEqualTo("2001:db8:1:200:0:0:0:0/56");
        assertThat(IpAddress.parse("2001:db8:1:2::1").orElseThrow().clientText(128))
                .isEqualTo("2001:db8:1:2:0:0:0:1/128");
        assertThat(IpAddress.parse("203.0.113.77").orElseThrow().networkText(24))
                .isEqualTo("203.0.113.0/24");
        assertThat(IpAddress.parse("2001:db8:1:2ff::1").orElseThrow().networkText(48))
                .isEqualTo("2001:db8:1:0:0:0:0:0/48");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.1.2, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.8, false",
        "192.0.2.6/31, 192.0.2.7, true",
        "2001:db8::/32, 2001:db8:ffff::, true",
        "2001:db8::/32, 2001:db9::, false",
        "2001:db8::/65, 2001:db8::7fff:0:0:1, true",
        "2001:db8::/65, 2001:db8::8000:0:0:1, false",
        "::/0, ::1, true",
        "::1, ::1, true",
        "::ffff:10.0.0.0, 10.0.0.0, true",
    })
    void aNetworkContainsItsAddresses(String network, String address, boolean contained) {
        assertThat(IpNetwork.parse(network).contains(IpAddress.parse(address).orElseThrow()))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "::/129",
                "1::1/64",
                "10.0.0.0/-1",
                "10.0.0.0/ 8",
                "proxy.example.org",
                "10.0.0.0/+8",
                "10.0.0.0/8/8",
                "10.*"
            })
    void aNetworkThatIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IpNetwork.parse(text))
                .withMessageContaining("'" + text + "'");
    }
}
