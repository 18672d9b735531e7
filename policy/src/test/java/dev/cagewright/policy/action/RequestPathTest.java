package dev.cagewright.policy.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.property.Property;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/ /",
                "/a/b /a/b",
                "/%61 /a",
                "/a/./b /a/b",
                "/a/../b /b",
                "/a/%2e%2E/b /b",
                "/a/%2e /a/",
                "/a/.. /",
                "/a%2fb /a%2Fb",
                "/a%252fb /a%252fb",
                "/a%2520b /a%2520b",
                "/a%5cb /a%5Cb",
                "/a%3Fb /a%3Fb",
                "/a%23b /a%23b",
                "/%e4%b8%ad /%E4%B8%AD",
                "/a%20b /a%20b",
                "/a//b /a//b",
                "/a/... /a/...",
                "/.well-known/x /.well-known/x",
                "/a;b=1/c /a;b=1/c",
                "/%7euser /~user",
                "/@s%2fp /@s%2Fp",
                "/a%2f..b /a%2F..b",
                "/a%2f...%2fb /a%2F...%2Fb",
                "/v1..%2fb /v1..%2Fb",
                "/a%252e%252e/b /a%252e%252e/b",
                "/a%5c.b /a%5C.b",
                "/%c3%ae%c3%ae/b /%C3%AE%C3%AE/b",
                "/%ff /%FF"
            })
    void a_path_has_one_spelling(String raw, String canonical) {
        assertThat(new RequestPath(raw).value()).isEqualTo(canonical);
    }

    @Test
    void letters_of_other_alphabets_are_encoded() {
        assertThat(RequestPath.canonical("/\u00e9 x")).isEqualTo("/%C3%A9%20x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "*",
                "/..",
                "/a/../..",
                "/%2e%2e/x",
                "/a?b",
                "/a#b",
                "/a\\b",
                "/a%00",
                "/a%0a",
                "/a%1",
                "/a%zz",
                "/a%",
                "/a\n",
                "/a//../b",
                "/a/..;/b",
                "/a/.;x/b",
                "/a/%2e%2e;/b",
                "/a/..%2fb",
                "/a/..%2F..%2Fb",
                "/a/x%2f..%2f..%2fb",
                "/a/.%2fb",
                "/a/..%5cb",
                "/a/..%5c..%5Cb",
                "/a/x%5C..",
                "/a/%252e%252e/b",
                "/a/%252e%252e%252fb",
                "/a/..%252fb",
                "/a/%25252e%25252e%25252fb",
                "/a/%c0%ae%c0%ae/b",
                "/a/%c0%ae./b",
                "/a/..%c0%afb",
                "/a/..%c1%9cb",
                "/a/%e0%80%ae%e0%80%ae/b",
                "/a/x%2f..;x/b",
                "/a/..%20/b",
                "/a%7f"
            })
    void what_servers_read_differently_is_refused(String raw) {
        assertThatThrownBy(() -> RequestPath.canonical(raw))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("path: ");
    }

    @Test
    void reading_the_result_again_changes_nothing_and_no_dots_are_left() {
        var pieces = List.of("/", "a", ".", "%2e", "%2F", "%25", "%61", ";", "%5C", "b", "/", "%E4", "~");
        var paths = new Property<List<String>>(
                random -> Stream.generate(() -> pieces.get(random.nextInt(pieces.size())))
                        .limit(random.nextInt(12))
                        .toList(),
                list -> IntStream.range(0, list.size())
                        .mapToObj(i -> Stream.concat(
                                        list.subList(0, i).stream(), list.subList(i + 1, list.size()).stream())
                                .toList())
                        .toList());
        paths.holds(30_000, list -> {
            var raw = "/" + list.stream().collect(Collectors.joining());
            String once;
            try {
                once = RequestPath.canonical(raw);
            } catch (IllegalArgumentException _) {
                return;
            }
            assertThat(RequestPath.canonical(once)).isEqualTo(once);
            assertThat(once.split("/", -1)).doesNotContain(".", "..");
        });
    }

    @Test
    void a_request_carries_the_one_spelling() {
        assertThat(new Action.HttpRequest("get", new HostName("X.Test."), 443, "/a/%2e%2e/b"))
                .isEqualTo(new Action.HttpRequest("GET", new HostName("x.test"), 443, "/b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"name\n", "name\r", "name\u0085", "name\u2028", "name "})
    void B177_a_line_end_behind_a_name_is_refused(String text) {
        assertThatThrownBy(() -> new HostName(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Action.HttpRequest(text, new HostName("x.test"), 443, "/"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CageName(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("tool: \"name");
        assertThatThrownBy(() -> ExecSection.variable("exec.env", text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ExecSection.program("exec.allowlist", text))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Credential(text, Optional.empty(), List.of(), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
