package dev.cagewright.cli;

import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Commands and options described in code, for the commands that people wait for. Annotations say the same, but
/// reading them makes classes at run time, which takes longer than such a command itself.
public final class CommandText {
    private CommandText() {}

    /// A command with these options and the usual ones for help.
    ///
    /// @param command is called when it is asked for
    public static CommandSpec of(String name, Object command, String description, OptionSpec... options) {
        var spec = CommandSpec.wrapWithoutInspection(command).name(name);
        spec.usageMessage().description(description);
        for (OptionSpec option : options) {
            spec.addOption(option);
        }
        return spec.addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help message and exit.")
                        .build())
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print version information and exit.")
                        .build());
    }

    /// An option that is there or not.
    public static OptionSpec flag(String description, String... names) {
        return OptionSpec.builder(names)
                .type(boolean.class)
                .description(description)
                .build();
    }

    /// An option with a text behind it.
    ///
    /// @param label what help calls the text
    public static OptionSpec text(String label, String description, String... names) {
        return OptionSpec.builder(names)
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    /// Was the flag given?
    public static boolean isGiven(OptionSpec flag) {
        return Optional.ofNullable(flag.<Boolean>getValue()).orElse(false);
    }

    /// The text that was given.
    ///
    /// @throws IllegalArgumentException if it is empty, as a variable is that nobody set
    public static Optional<String> given(OptionSpec text) {
        var given = Optional.ofNullable(text.<String>getValue());
        if (given.isPresent() && given.get().isEmpty()) {
            throw new IllegalArgumentException(text.longestName() + ": \"\" (expected: " + text.paramLabel() + ")");
        }
        return given;
    }
}
