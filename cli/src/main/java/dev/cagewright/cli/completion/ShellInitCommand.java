package dev.cagewright.cli.completion;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Installation;
import dev.cagewright.supervisor.scaffold.Scaffold;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `cagewright shell-init SHELL [SCAFFOLD...]`: functions by which an agent's own name starts it in a cage.
@Command(
        name = "shell-init",
        description = {
            "Prints functions for your shell's start-up file, so that claude, codex ... start in a cage:",
            "bash, zsh: eval \"$(cagewright shell-init bash)\"; fish: cagewright shell-init fish | source",
            "command claude goes around it."
        },
        mixinStandardHelpOptions = true)
public final class ShellInitCommand implements Callable<Integer> {
    /// What is a command's name in every shell, and nothing else.
    private static final String PLAIN = "[A-Za-z_][A-Za-z0-9_-]{0,63}";

    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "0", paramLabel = "SHELL", description = "bash, zsh or fish.")
    private String shell = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(
            index = "1..*",
            paramLabel = "SCAFFOLD",
            description = "Which agents; by default those that are installed.")
    private List<String> wished = new ArrayList<>();

    public ShellInitCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException {
        var kind = ShellKind.parse(shell);
        var chosen = wished.isEmpty() ? installed() : named();
        if (chosen.isEmpty()) {
            console.say("no agent that has a scaffold is on your PATH (expected: one, or its scaffold's name)");
        }
        console.out().println("# Agents in a cage, by cagewright shell-init; command NAME goes around it.");
        chosen.forEach((program, scaffold) -> lines(kind, program, scaffold).forEach(console.out()::println));
        return ExitCode.OK.code();
    }

    private static List<String> lines(ShellKind kind, String program, String scaffold) {
        return switch (kind) {
            case BASH, ZSH ->
                List.of(
                        "unalias " + program + " 2>/dev/null || :",
                        "function " + program + " { command cagewright run " + scaffold + " \"$@\"; }");
            case FISH ->
                List.of(
                        "function " + program + " --description '" + program + " in a cage'",
                        "    command cagewright run " + scaffold + " $argv",
                        "end");
        };
    }

    /// By program; of two scaffolds for one program the product's own, or else the first.
    private Map<String, String> installed() throws IOException {
        var scaffolds = Scaffolds.of(folders);
        var caller = CallerEnvironment.read();
        var found = new LinkedHashMap<String, String>();
        for (String name : scaffolds.names()) {
            try {
                var scaffold = scaffolds.find(name);
                if (isAgent(scaffold)
                        && scaffold.program().matches(PLAIN)
                        && Installation.of(scaffold.program(), caller).isPresent()
                        && (!found.containsKey(scaffold.program()) || scaffolds.isBuiltIn(name))) {
                    found.put(scaffold.program(), name);
                }
            } catch (PolicySyntaxException e) {
                console.say(Visible.text("scaffold " + name + " is left out: " + e.getMessage()));
            }
        }
        return found;
    }

    /// One without arguments of its own, secrets and home files is no agent: a shell would be caged for good.
    private static boolean isAgent(Scaffold scaffold) {
        return !scaffold.secrets().isEmpty()
                || !scaffold.arguments().isEmpty()
                || !scaffold.home().isEmpty();
    }

    private Map<String, String> named() throws IOException, PolicySyntaxException {
        var chosen = new LinkedHashMap<String, String>();
        for (String name : wished) {
            var program = Scaffolds.of(folders).find(name).program();
            if (!program.matches(PLAIN)) {
                throw new IllegalArgumentException("scaffold " + name + ": its program \"" + Visible.text(program)
                        + "\" is no name for a function (expected: letters, digits, - and _)");
            }
            var other = chosen.putIfAbsent(program, name);
            if (other != null && !other.equals(name)) {
                throw new IllegalArgumentException(
                        "scaffolds " + other + " and " + name + " both start " + program + " (expected: one of them)");
            }
        }
        return chosen;
    }
}
