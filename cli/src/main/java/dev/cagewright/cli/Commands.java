package dev.cagewright.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/// The commands by name. Each is made when it is needed: reading a command's options by reflection takes
/// longer than most commands do, so a command line that begins with a name gets that command alone, and
/// only help, a typo and completion get all of them.
final class Commands {
    private final Supplier<CommandSpec> root;
    private final Failures failures;
    private final Map<String, Supplier<Object>> makers = new LinkedHashMap<>();

    /// @param root what help says of the product as a whole
    Commands(Supplier<CommandSpec> root, Failures failures) {
        this.root = root;
        this.failures = failures;
    }

    /// Adds the command of that name, after those which are there.
    ///
    /// @param maker of an annotated object, of a description, or of a `CommandLine` that has more to it
    Commands add(String name, Supplier<Object> maker) {
        makers.put(name, maker);
        return this;
    }

    /// Runs a command line and returns its exit code.
    int execute(String... words) {
        var first = words.length == 0 ? "" : words[0];
        var line = Optional.ofNullable(makers.get(first))
                .map(maker -> alone(first, maker))
                .orElseGet(this::all);
        return line.execute(words);
    }

    /// The whole tree.
    CommandLine all() {
        var line = new CommandLine(root.get());
        makers.forEach((name, maker) -> line.addSubcommand(name, maker.get()));
        return handling(line);
    }

    private CommandLine alone(String name, Supplier<Object> maker) {
        return handling(new CommandLine(root.get()).addSubcommand(name, maker.get()));
    }

    /// An empty path is a variable that was not set, and never the current directory.
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("\"\" (expected: a path)");
        }
        return Path.of(text);
    }

    private CommandLine handling(CommandLine line) {
        return line.registerConverter(Path.class, Commands::path)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }
}
