package dev.cagewright.policy.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.property.Property;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "1B,1",
        "512MiB,536870912",
        "2GiB,2147483648",
        "1KiB,1024",
        "8191TiB,9006099743113216",
        "9223372036854775807B,9223372036854775807",
        "8388607TiB,9223370937343148032"
    })
    void B156_a_size_is_read_exactly(String text, long bytes) {
        assertThat(ByteSize.parse("resources.memory", text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "17179869184G",
                "17179869184GiB",
                "8388608TiB",
                "0",
                "0B",
                "0MiB",
                "-1",
                "-1B",
                "1.5G",
                "1.5GiB",
                "1e9",
                "1 GB",
                "1 GiB",
                "9223372036854775808",
                "9223372036854775808B",
                "512m",
                "512M",
                "512MB",
                "512mib",
                "512",
                "",
                " 1B",
                "1B ",
                "1B\n",
                "\uFF11\uFF10MiB",
                "MiB",
                "08B",
                "0x10B",
                "1_000B",
                "+1B",
                "1\u20AC",
                "99999999999999999999999TiB"
            })
    void B156_every_other_size_is_refused_with_the_field_and_the_forms(String text) {
        assertThatThrownBy(() -> ByteSize.parse("resources.memory", text))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("resources.memory: \"")
                .hasMessageEndingWith(
                        "\" (expected: digits and B, KiB, MiB, GiB or TiB, e.g. 512MiB, more than 0 and less than 2^63 bytes)");
    }

    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "5s,PT5S", "30m,PT30M", "2h,PT2H", "1d,PT24H", "3650d,PT87600H"})
    void B255_a_time_is_read_exactly(String text, Duration value) {
        assertThat(TimeSpan.parse("approval.timeout", text).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\u20AC",
                "5",
                "-1h",
                "1.5h",
                "99999999999d",
                "",
                " 5m",
                "5M",
                "\uFF11\uFF10m",
                "5m\n",
                "5 m",
                "0s",
                "0d",
                "3651d",
                "1h30m",
                "05m",
                "5min",
                "m",
                "ms",
                "9223372036854775807ms",
                "P1D",
                "99999999999999999999s"
            })
    void B255_every_other_time_is_refused_with_the_forms(String text) {
        assertThatThrownBy(() -> TimeSpan.parse("--since", text))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--since: \"")
                .hasMessageEndingWith(
                        "\" (expected: digits and ms, s, m, h or d, e.g. 30m, more than 0 and at most 3650d)");
    }

    @Test
    void B281_an_ambiguous_number_is_refused_with_both_readings() {
        assertThatThrownBy(() -> Count.parsePort("net.hosts[0].port", "022"))
                .hasMessage(
                        "net.hosts[0].port: \"022\" (expected: a whole number from 1 to 65535; 022 could mean 22 or octal 18: write it without the leading zero)");
        assertThatThrownBy(() -> Count.parsePort("port", "22:22"))
                .hasMessageContaining("could mean two numbers or 1342 in base 60");
        assertThatThrownBy(() -> Count.parse("files", "1e5")).hasMessageContaining("could mean a power of ten or text");
        assertThatThrownBy(() -> Count.parse("files", "0o755")).hasMessageContaining("is not decimal");
        assertThatThrownBy(() -> ByteSize.parse("disk", "08")).hasMessageContaining("expected: digits and B");
        assertThatThrownBy(() -> Count.parsePort("port", "8080.0"))
                .hasMessageContaining("a whole number from 1 to 65535");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "65536",
                " 80",
                "80 ",
                "80\n",
                "\uFF18\uFF10",
                "+80",
                "8_0",
                "99999999999999999999"
            })
    void a_port_is_plain_digits_from_1_to_65535(String text) {
        assertThatThrownBy(() -> Count.parsePort("port", text)).hasMessageContaining("a whole number from 1 to 65535");
        assertThat(Count.parsePort("port", "65535")).isEqualTo(65_535);
    }

    @ParameterizedTest
    @CsvSource({"2,2000", "0.5,500", "1.25,1250", "0.001,1", "1024,1024000", "1.100,1100"})
    void cpus_are_thousandths(String text, int thousandths) {
        assertThat(Cpus.parse("resources.cpus", text).thousandths()).isEqualTo(thousandths);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0.0",
                "-1",
                "1.0001",
                ".5",
                "5.",
                "1e3",
                "1025",
                "1024.001",
                "01",
                "\uFF11",
                "1,5",
                "",
                "1.5.2"
            })
    void other_cpus_are_refused(String text) {
        assertThatThrownBy(() -> Cpus.parse("resources.cpus", text))
                .hasMessageStartingWith("resources.cpus: \"")
                .hasMessageEndingWith(
                        "\" (expected: a decimal from 0.001 to 1024 with at most three places, e.g. 0.5)");
    }

    @Test
    void what_is_written_is_read_back_the_same() {
        var sizes = new Property<Long>(
                random -> 1 + (random.nextLong() >>> (1 + random.nextInt(62))),
                n -> n <= 1 ? List.of() : List.of(n / 2, n - 1));
        sizes.holds(
                5_000,
                n -> assertThat(ByteSize.parse("x", new ByteSize(n).toString()).bytes())
                        .isEqualTo(n));
        var times = new Property<Long>(
                random -> 1 + random.nextLong(315_360_000_000L), n -> n <= 1 ? List.of() : List.of(n / 2, n - 1));
        times.holds(
                5_000,
                n -> assertThat(TimeSpan.parse("x", new TimeSpan(Duration.ofMillis(n)).toString())
                                .value())
                        .isEqualTo(Duration.ofMillis(n)));
        var cpus = new Property<Integer>(
                random -> 1 + random.nextInt(1_024_000), n -> n <= 1 ? List.of() : List.of(n / 2, n - 1));
        cpus.holds(
                5_000,
                n -> assertThat(Cpus.parse("x", new Cpus(n).toString()).thousandths())
                        .isEqualTo(n));
    }
}
