package dev.cagewright.egress.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.policy.action.RequestPath;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Any text is one path with one spelling in which no reader finds dots to resolve, or a refusal. Run as a test this
/// reads the committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class PathFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_path_has_one_spelling_without_dots(byte[] bytes) {
        var text = "/" + new String(bytes, StandardCharsets.ISO_8859_1);
        String path;
        try {
            path = RequestPath.canonical(text);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).startsWith("path: ").matches("\\P{Cntrl}+");
            return;
        }
        assertThat(path).startsWith("/").matches("([!-~&&[^%?#\\\\]]|%[0-9A-Fa-f]{2})+");
        assertThat(RequestPath.canonical(path)).isEqualTo(path);
        requireNoDots(URI.create("http://a.test/x" + path.replaceAll("[|^`{}\"<>\\[\\]]", "x"))
                .normalize()
                .getRawPath());
        requireNoDots(path);
        requireNoDots(decoded(path));
        requireNoDots(decoded(decoded(path)));
    }

    /// Escapes written in capitals, and letters written as escapes, are judged alike.
    @FuzzTest(maxDuration = "2m")
    void a_path_is_judged_alike_however_it_is_encoded(byte[] bytes) {
        var plain = new StringBuilder("/");
        var encoded = new StringBuilder("/");
        for (byte b : bytes) {
            char c = "abc./;_-~/".charAt((b & 0xff) % 10);
            plain.append(c);
            encoded.append(b < 0 && c != '/' ? String.format(Locale.ROOT, "%%%02x", (int) c) : c);
        }
        assertThat(outcome(encoded.toString())).isEqualTo(outcome(plain.toString()));
    }

    private static String outcome(String text) {
        try {
            return RequestPath.canonical(text);
        } catch (IllegalArgumentException e) {
            return "refused";
        }
    }

    private static String decoded(String path) {
        var out = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            boolean isEscape = path.charAt(i) == '%'
                    && i + 2 < path.length()
                    && path.substring(i + 1, i + 3).matches("[0-9A-Fa-f]{2}");
            out.append(isEscape ? (char) Integer.parseInt(path.substring(i + 1, i + 3), 16) : path.charAt(i));
            i += isEscape ? 2 : 0;
        }
        return out.toString();
    }

    private static void requireNoDots(String path) {
        assertThat(path.split("[/\\\\]", -1)).doesNotContain(".", "..").noneMatch(name -> name.startsWith("..;"));
    }
}
