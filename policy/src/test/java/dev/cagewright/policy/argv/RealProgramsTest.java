package dev.cagewright.policy.argv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.property.Property;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs themselves are asked: random arguments out of pieces, one of which makes a file. Whenever the file is
/// there afterwards, the argument rules must have seen code.
class RealProgramsTest {
    @TempDir
    Path folder;

    private Path canary() {
        return folder.resolve("canary");
    }

    private static Property<List<String>> arguments(List<String> pieces, int most) {
        return new Property<>(
                random -> draw(random, pieces, most),
                list -> IntStream.range(0, list.size())
                        .mapToObj(i -> Stream.concat(
                                        list.subList(0, i).stream(), list.subList(i + 1, list.size()).stream())
                                .toList())
                        .toList());
    }

    private static List<String> draw(Random random, List<String> pieces, int most) {
        return Stream.generate(() -> pieces.get(random.nextInt(pieces.size())))
                .limit(1 + random.nextInt(most))
                .toList();
    }

    /// Did running it make the file? Files that it writes on the way stay in the test's folder.
    private boolean runsCode(List<String> argv) {
        try {
            Files.deleteIfExists(canary());
            var process = new ProcessBuilder(argv)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(folder.resolve("input").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return Files.exists(canary());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// @param known arguments that surely run code, so that the canary is known to sing
    private void neverRunsUnseen(String program, List<String> known, List<String> pieces, int rounds)
            throws IOException {
        assumeTrue(Files.isExecutable(Path.of(program)), program + " is not on this machine");
        Files.writeString(folder.resolve("input"), "a\nb\n");
        Files.writeString(folder.resolve("plain"), "");
        assertThat(runsCode(Stream.concat(Stream.of(program), known.stream()).toList()))
                .as("%s %s runs code", program, known)
                .isTrue();
        arguments(pieces, 5).holds(rounds, arguments -> {
            var argv = new ArrayList<>(List.of(program));
            argv.addAll(arguments);
            if (runsCode(argv)) {
                assertThat(ArgvReader.read(argv.stream().map(ByteString::of).toList())
                                .code())
                        .as("%s", argv)
                        .isPresent();
            }
        });
    }

    @Test
    void sed_runs_nothing_that_its_script_did_not_show() throws IOException {
        var touch = "e touch " + canary();
        neverRunsUnseen(
                "/usr/bin/sed",
                List.of(touch),
                List.of(
                        "-n",
                        "-e",
                        "-ne",
                        "-s",
                        "-E",
                        "p",
                        touch,
                        "1" + touch,
                        "s/a/touch canary/e",
                        "a\\",
                        ":x",
                        "b",
                        "s/[/]/x/;" + touch,
                        "s/\\[/x/\n" + touch,
                        "y/a/b/",
                        "input",
                        "--expression=" + touch,
                        "--exp=p",
                        "-i",
                        "$!N",
                        "{p",
                        "}",
                        "s,a,b,w plain",
                        "--",
                        "s/[^/]*/&/;" + touch,
                        "1,/b/" + touch,
                        "a x",
                        "i\\\n" + touch,
                        "-l",
                        "5"),
                100);
    }

    @Test
    void bash_runs_nothing_that_was_not_seen() throws IOException {
        Files.writeString(folder.resolve("script"), "touch canary\n");
        neverRunsUnseen(
                "/usr/bin/bash",
                List.of("-c", "touch canary"),
                List.of(
                        "-c",
                        "-ec",
                        "-l",
                        "-x",
                        "+x",
                        "-o",
                        "pipefail",
                        "-O",
                        "extglob",
                        "--norc",
                        "--rcfile",
                        "script",
                        "touch canary",
                        "--",
                        "-",
                        "-s",
                        "--posix",
                        "-ic",
                        "+c",
                        "-oc",
                        "plain",
                        "--init-file",
                        "-i",
                        "+O"),
                60);
    }

    @Test
    void perl_runs_nothing_that_was_not_seen() throws IOException {
        Files.writeString(folder.resolve("plain.pl"), "1;\n");
        neverRunsUnseen(
                "/usr/bin/perl",
                List.of("-e", "open(F,'>','canary')"),
                List.of(
                        "-e",
                        "-we",
                        "-ne",
                        "-0777",
                        "-0777ne",
                        "-l012",
                        "-l0e",
                        "-i.bak",
                        "-pe",
                        "-I",
                        "lib",
                        "-w -e",
                        "-E",
                        "-Mstrict",
                        "-M",
                        "-F:",
                        "-a",
                        "-C",
                        "-CS",
                        "-s",
                        "plain.pl",
                        "--",
                        "-x",
                        "open(F,'>','canary')",
                        "-eopen(F,'>','canary')",
                        "-Mstrict;open(F,'>','canary')",
                        "-t",
                        "-Te",
                        "-c"),
                100);
    }

    @Test
    void node_runs_nothing_that_was_not_seen() throws IOException {
        Files.writeString(folder.resolve("plain.js"), "");
        Files.writeString(
                folder.resolve("script.js"), "if (require.main !== module) require('fs').writeFileSync('canary', '')");
        var code = "require('fs').writeFileSync('canary', '')";
        neverRunsUnseen(
                "/usr/bin/node",
                List.of("-e", code),
                List.of(
                        "-e",
                        "-p",
                        "-pe",
                        "--eval",
                        "--print",
                        "--eval=" + code,
                        "--title",
                        "x",
                        "--no-warnings",
                        "-r",
                        "./script.js",
                        "--require",
                        "--import",
                        code,
                        "plain.js",
                        "--conditions",
                        "--stack-trace-limit=5",
                        "--input-type=commonjs",
                        "--trace-uncaught",
                        "-c",
                        "--max-old-space-size=64",
                        "--experimental_default_type=commonjs",
                        "--"),
                12);
    }
}
