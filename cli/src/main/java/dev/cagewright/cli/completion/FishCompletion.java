package dev.cagewright.cli.completion;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// The commands and options as fish completes them.
final class FishCompletion {
    private static final String HEAD = "complete -c cagewright ";

    private FishCompletion() {}

    static List<String> lines(CommandLine root) {
        var lines = new ArrayList<String>();
        lines.add("complete -c cagewright -e");
        root.getSubcommands().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                lines.add(HEAD + "-f -n __fish_use_subcommand -a " + name + " -d " + quoted(description(command)));
                below(lines, name, command);
            }
        });
        for (NameKind kind : NameKind.values()) {
            for (String command : kind.commands()) {
                lines.add(HEAD + "-f -n '__fish_seen_subcommand_from " + command
                        + "' -a '(command cagewright completion --names " + kind.word() + " 2>/dev/null)'");
            }
        }
        return lines;
    }

    private static void below(List<String> lines, String name, CommandLine command) {
        command.getSubcommands()
                .forEach((sub, deeper) -> lines.add(HEAD + "-f -n '__fish_seen_subcommand_from " + name + "' -a " + sub
                        + " -d " + quoted(description(deeper))));
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (!option.hidden()) {
                lines.add(HEAD + "-n '__fish_seen_subcommand_from " + name + "'" + names(option)
                        + (option.arity().max() > 0 ? " -r" : "") + " -d "
                        + quoted(first(option.description())));
            }
        }
    }

    private static String names(OptionSpec option) {
        var text = new StringBuilder();
        for (String name : option.names()) {
            text.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        return text.toString();
    }

    private static String description(CommandLine command) {
        return first(command.getCommandSpec().usageMessage().description());
    }

    private static String first(String... lines) {
        return lines.length == 0 ? "" : lines[0];
    }

    /// Within single quotes fish knows two escapes.
    static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
