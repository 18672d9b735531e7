package dev.cagewright.cli;

import dev.cagewright.cli.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `cagewright rehearse FILE`: runs the command lines of a file one after the other in this process, whatever their
/// exit codes, which it prints. The start-up cache is made from the classes that were loaded by then
/// (`libexec/make-cache`). A word that begins with `HERE/` names a file beside that one.
@Command(
        name = "rehearse",
        description = "Runs the command lines of a file in one process; the start-up cache is made from it.",
        mixinStandardHelpOptions = true,
        hidden = true)
final class RehearseCommand implements Callable<Integer> {
    private static final int MAX_BYTES = 64 * 1024;
    private static final String HERE = "HERE/";

    private final Console console;
    private final ToIntFunction<String[]> product;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "FILE", description = "One command line a line; # begins a comment.")
    private String file = "";

    /// @param product runs one command line
    RehearseCommand(Console console, ToIntFunction<String[]> product) {
        this.console = console;
        this.product = product;
    }

    @Override
    public Integer call() throws IOException {
        var path = Path.of(file);
        if (Files.size(path) > MAX_BYTES) {
            throw new IOException(file + ": " + Files.size(path) + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        Files.readAllLines(path).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .forEach(line -> console.out().println(product.applyAsInt(words(path, line)) + "\t" + line));
        return ExitCode.OK.code();
    }

    private static String[] words(Path file, String line) {
        return Arrays.stream(line.split(" +"))
                .map(word -> word.startsWith(HERE)
                        ? file.resolveSibling(word.substring(HERE.length())).toString()
                        : word)
                .toArray(String[]::new);
    }
}
