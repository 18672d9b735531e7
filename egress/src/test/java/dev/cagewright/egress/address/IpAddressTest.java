package dev.cagewright.egress.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 00000000",
        "255.255.255.255, ffffffff",
        "10.0.200.7, 0a00c807",
        "::, 00000000000000000000000000000000",
        "::1, 00000000000000000000000000000001",
        "1::, 00010000000000000000000000000000",
        "2001:DB8::00fF, 20010db80000000000000000000000ff",
        "1:2:3:4:5:6:7:8, 00010002000300040005000600070008",
        "1:2:3:4:5:6:7::, 00010002000300040005000600070000",
        "::2:3:4:5:6:7:8, 00000002000300040005000600070008",
        "64:ff9b::192.0.2.33, 0064ff9b0000000000000000c0000221",
        "1:2:3:4:5:6:1.2.3.4, 00010002000300040005000601020304",
    })
    void a_spelling_that_all_read_alike_is_read(String text, String hex) {
        assertThat(IpAddress.parse(text)).contains(IpAddress.of(HexFormat.of().parseHex(hex)));
    }

    /// An address is a dotted quad or IPv6; what `inet_aton(3)`, a JDK or another program would make of the rest is not
    /// asked.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "2130706433",
                "0x7f000001",
                "0177.0.0.1",
                "127.1",
                "127.0.1",
                "0",
                "010.0.0.1",
                "00.0.0.0",
                "1.2.3.4.5",
                "1.2.3.4.",
                ".1.2.3.4",
                "1..3.4",
                "1.2.3.256",
                "1.2.3.1000",
                "1.2.3.+4",
                "1.2.3.-4",
                " 1.2.3.4",
                "1.2.3.4 ",
                "1.2.3.4\n",
                "\u2460\u2461\u2466.0.0.1",
                "\u0661.\u0662.\u0663.\u0664",
                "\uff11.2.3.4",
                "1\u30022\u30023\u30024",
                ":",
                ":::",
                "1:::2",
                "::1::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "1:2:3:4::5:6:7:8",
                ":1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:",
                "00001::",
                "g::",
                "\u0661::",
                "::1%lo",
                "fe80::1%1",
                "[::1]",
                "::1/128",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "::1.2.3",
                "::1.2.3.04",
                "1:2:3:4:5:6:7:1.2.3.4",
                "example.com",
                "1.2.3.4.example.com",
                "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000",
            })
    void B051_another_spelling_is_no_address(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::ffff:127.0.0.1",
                "::ffff:7f00:1",
                "0:0:0:0:0:ffff:7f00:0001",
                "::FFFF:127.0.0.1",
                "0000:0000:0000:0000:0000:ffff:127.0.0.1"
            })
    void B049_a_mapped_address_is_its_ipv4_address_in_every_spelling(String text) {
        assertThat(IpAddress.parse(text)).contains(IpAddress.of(new byte[] {127, 0, 0, 1}));
        assertThat(IpAddress.parse(text).orElseThrow()).hasToString("127.0.0.1");
        assertThat(IpAddress.parse(text).orElseThrow().isV4()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"::fffe:127.0.0.1", "::1:ffff:127.0.0.1", "::ffff:0:127.0.0.1", "1::ffff:127.0.0.1"})
    void B049_what_only_looks_mapped_stays_ipv6(String text) {
        assertThat(IpAddress.parse(text).orElseThrow().isV4()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0db8:0000:0000:0000:0000:0000:0001, 2001:db8::1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "FE80::ABCD, fe80::abcd",
        "0:1:0:1:0:1:0:1, 0:1:0:1:0:1:0:1",
        "1.2.3.4, 1.2.3.4",
    })
    void an_address_is_written_in_one_spelling(String text, String written) {
        assertThat(IpAddress.parse(text).orElseThrow()).hasToString(written);
    }

    @Test
    void what_is_written_is_read_as_the_same_address_by_this_and_by_the_jdk() throws UnknownHostException {
        var random = new Random(4291);
        for (int i = 0; i < 20_000; i++) {
            var bytes = new byte[random.nextBoolean() ? 4 : 16];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : 0);
            }
            var address = IpAddress.of(bytes);
            assertThat(IpAddress.parse(address.toString())).contains(address);
            assertThat(IpAddress.of(InetAddress.ofLiteral(address.toString()))).isEqualTo(address);
            assertThat(IpAddress.of(address.toInetAddress())).isEqualTo(address);
        }
    }

    @Test
    void bytes_of_another_length_are_refused() {
        assertThatThrownBy(() -> IpAddress.of(new byte[5]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("address: 5 bytes (expected: 4 or 16)");
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3/8, 10.0.0.0/8",
        "10.1.2.3/32, 10.1.2.3",
        "10.1.2.3, 10.1.2.3",
        "0.0.0.0/0, 0.0.0.0/0",
        "fd00::1/7, fc00::/7",
        "::ffff:10.0.0.0/104, 10.0.0.0/8",
        "2001:db8::/128, 2001:db8::",
    })
    void a_range_is_read(String text, String written) {
        assertThat(AddressRange.parse(text).orElseThrow()).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.0/+8",
                "/8",
                "10.0.0/8",
                "::/129",
                "::ffff:0:0/95",
                "10.0.0.0/8/8",
                "a.test/8"
            })
    void what_is_no_range_is_not_read(String text) {
        assertThat(AddressRange.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/9, 10.127.255.255, true",
        "10.0.0.0/9, 10.128.0.0, false",
        "10.0.0.0/8, ::ffff:10.9.9.9, true",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 1.2.3.4, false",
        "fc00::/7, fdff::, true",
        "fc00::/7, fe00::, false",
    })
    void a_range_contains_its_own_family(String range, String address, boolean isIn) {
        assertThat(AddressRange.parse(range)
                        .orElseThrow()
                        .contains(IpAddress.parse(address).orElseThrow()))
                .isEqualTo(isIn);
    }
}
