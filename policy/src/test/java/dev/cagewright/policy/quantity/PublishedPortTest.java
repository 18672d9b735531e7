package dev.cagewright.policy.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedPortTest {
    @ParameterizedTest
    @CsvSource({"3000, 3000, 3000, 3000", "8080:80, 8080, 80, 8080:80", "0:80, 0, 80, 0:80", "80:80, 80, 80, 80"})
    void the_ports_of_host_and_cage_are_read(String text, int host, int cage, String shown) {
        var port = PublishedPort.parse("--publish", text);

        assertThat(port).isEqualTo(new PublishedPort(host, cage));
        assertThat(port).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "65536",
                "80:0",
                "65536:80",
                "1:2:3",
                "127.0.0.1:80:80",
                "-1",
                "+80",
                "080",
                "8080:080",
                "0x50",
                "80 ",
                "8080: 80",
                "http",
                ":80",
                "80:",
                "\u0663"
            })
    void anything_else_is_refused_with_what_is_expected(String text) {
        assertThatThrownBy(() -> PublishedPort.parse("--publish", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--publish: \"")
                .hasMessageContaining("(expected: a port of the cage such as 3000, or HOST:CAGE such as 8080:80;");
    }
}
