package dev.cagewright.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Sizes of the product's sources: a ratchet, so that nothing grows unseen. A method counts from the first
/// line of its signature to its closing brace, found by the formatter's indentation.
class SizesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int LONGEST_FILE = 500;
    private static final int LONGEST_METHOD = 60;
    private static final int USUAL_METHOD = 20;
    private static final int MOST_PARAMETERS = 5;

    /// A system call has six arguments, syscall(2).
    private static final String SYSTEM_CALL = "CFunction.java";

    /// A member's first line: indented by 4 or 8, a name and an opening parenthesis, no statement keyword.
    private static final Pattern MEMBER = Pattern.compile(
            "^(?<indent> {4}| {8})(?=\\S)(?:(?:public|protected|private|static|final|abstract|synchronized|default|sealed)\\s+)*"
                    + "(?:<[^>]+>\\s+)?(?:@\\w+\\s+)?[\\w.<>\\[\\],? @]+\\s\\w+\\((?<rest>.*)$|"
                    + "^(?<cindent> {4}| {8})(?=\\S)(?:public |private |protected )?[A-Z]\\w*\\((?<crest>.*)$");

    private static final Pattern STATEMENT =
            Pattern.compile("^\\s*(?:(?:public|private|protected|static|final|sealed)\\s+)*"
                    + "(return|throw|new|else|if|for|while|switch|case|var|assert|yield|record|class|do|try)\\b.*");

    private record Method(String where, int lines) {}

    @Test
    void no_file_is_longer_than_five_hundred_lines() {
        var tooLong = sources()
                .filter(file -> lines(file).size() > LONGEST_FILE)
                .map(file -> ROOT.relativize(file) + ": " + lines(file).size())
                .toList();

        assertThat(tooLong).as("files over " + LONGEST_FILE + " lines").isEmpty();
    }

    @Test
    void no_method_is_longer_than_sixty_lines_and_most_are_under_twenty() {
        var methods = sources().flatMap(file -> methods(file).stream()).toList();
        var tooLong = methods.stream()
                .filter(method -> method.lines() > LONGEST_METHOD)
                .map(method -> method.where() + ": " + method.lines())
                .toList();
        var sorted = methods.stream().mapToInt(Method::lines).sorted().toArray();

        assertThat(sorted.length).as("methods found").isGreaterThan(100);
        assertThat(tooLong).as("methods over " + LONGEST_METHOD + " lines").isEmpty();
        assertThat(sorted[(int) (sorted.length * 0.9)])
                .as("p90 of method lines")
                .isLessThanOrEqualTo(USUAL_METHOD);
    }

    @Test
    void packages_hold_at_most_twenty_files() {
        var crowded = sources()
                .map(Path::getParent)
                .distinct()
                .filter(folder -> javaFilesIn(folder) > 20)
                .map(folder -> ROOT.relativize(folder) + ": " + javaFilesIn(folder))
                .toList();

        assertThat(crowded).as("packages of over 20 files").isEmpty();
    }

    @Test
    void methods_take_at_most_five_parameters() {
        var greedy = new ArrayList<String>();
        sources().filter(file -> !file.endsWith(SYSTEM_CALL)).forEach(file -> {
            var lines = lines(file);
            for (int i = 0; i < lines.size(); i++) {
                var found = MEMBER.matcher(lines.get(i));
                if (found.matches()
                        && !STATEMENT.matcher(lines.get(i)).matches()
                        && parameters(lines, i) > MOST_PARAMETERS) {
                    greedy.add(ROOT.relativize(file) + ":" + (i + 1));
                }
            }
        });

        assertThat(greedy)
                .as("methods of over " + MOST_PARAMETERS + " parameters")
                .isEmpty();
    }

    private static int parameters(List<String> lines, int first) {
        var signature = new StringBuilder();
        for (int i = first; i < Math.min(lines.size(), first + 12); i++) {
            signature.append(lines.get(i).strip()).append(' ');
            if (lines.get(i).endsWith("{") || lines.get(i).endsWith(";")) {
                break;
            }
        }
        int depth = 0;
        int count = 0;
        boolean any = false;
        for (char c : signature.substring(signature.indexOf("(")).toCharArray()) {
            switch (c) {
                case '(', '<' -> depth++;
                case ')', '>' -> depth--;
                case ',' -> count += depth == 1 ? 1 : 0;
                default -> any |= depth == 1 && !Character.isWhitespace(c);
            }
            if (depth == 0) {
                break;
            }
        }
        return any ? count + 1 : 0;
    }

    private static List<Method> methods(Path file) {
        var lines = lines(file);
        var found = new ArrayList<Method>();
        for (int i = 0; i < lines.size(); i++) {
            var member = MEMBER.matcher(lines.get(i));
            if (member.matches() && !STATEMENT.matcher(lines.get(i)).matches()) {
                var indent = member.group("indent") != null ? member.group("indent") : member.group("cindent");
                int end = end(lines, i, indent + "}");
                if (end > i) {
                    found.add(new Method(ROOT.relativize(file) + ":" + (i + 1), end - i + 1));
                }
            }
        }
        return found;
    }

    private static int end(List<String> lines, int first, String closing) {
        for (int i = first; i < lines.size(); i++) {
            if (lines.get(i).equals(closing)) {
                return i;
            }
            if (i < first + 12 && lines.get(i).endsWith(";") && i == first) {
                return first;
            }
        }
        return first;
    }

    private static Stream<Path> sources() {
        return Stream.of("policy", "audit", "sandbox", "egress", "supervisor", "mcp", "cli")
                .flatMap(SizesTest::javaFiles);
    }

    private static Stream<Path> javaFiles(String module) {
        try (var files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long javaFilesIn(Path folder) {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java") && !name.equals("package-info.java"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The file's lines; those inside a text block are empty, since they are no code.
    private static List<String> lines(Path file) {
        try {
            var code = new ArrayList<String>();
            boolean text = false;
            for (String line : Files.readAllLines(file)) {
                boolean edge = line.contains("\"\"\"");
                code.add(text ? "" : line);
                text ^= edge && line.indexOf("\"\"\"") == line.lastIndexOf("\"\"\"");
            }
            return code;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
