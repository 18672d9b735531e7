package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The static C program of `src/test/c/attempts.c`, and what it tells.
final class Attempts {
    private static final Path PROGRAM = compile();

    private Attempts() {}

    private static Path compile() {
        try (var source = Attempts.class.getResourceAsStream("/attempts.c");
                var header = Attempts.class.getResourceAsStream("/kernel.h")) {
            assertThat(source).isNotNull();
            assertThat(header).isNotNull();
            var folder = Files.createTempDirectory("attempts");
            Files.copy(source, folder.resolve("attempts.c"));
            Files.copy(header, folder.resolve("kernel.h"));
            var program = folder.resolve("attempts");
            var compiler = new ProcessBuilder(
                            "cc", "-std=gnu17", "-O1", "-static", "-o", program.toString(), folder + "/attempts.c")
                    .inheritIO()
                    .start();
            assertThat(compiler.waitFor()).isZero();
            return program;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Puts the program into `folder` as `attempts`.
    static void copyTo(Path folder) {
        try {
            Files.copy(PROGRAM, folder.resolve("attempts"));
            assertThat(folder.resolve("attempts").toFile().setExecutable(true, false))
                    .isTrue();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// `NAME WORD` a line, as a map.
    static Map<String, String> parse(String out) {
        var answers = new LinkedHashMap<String, String>();
        out.lines().map(line -> line.split(" ", 2)).forEach(pair -> answers.put(pair[0], pair[1]));
        return answers;
    }
}
