package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.CageRun;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a person may type, and what must not start.
record ArgumentStories(Stage stage) {
    List<Probe> probes() {
        return List.of(
                shell(), isolation(), path(), words(), callersVariables(), emptyProgram(), allowlist(), noPolicy());
    }

    private Twin echoes() {
        return new Twin("echo says its words", () -> {
            var result = stage.cage().run("echo", "honest", "words");
            return result.exit() == 0 && result.out().equals("honest words\n")
                    ? held("works")
                    : fell(result.toString());
        });
    }

    /// The effect that the denied act would have: a file in the workspace.
    private String effect() {
        return stage.workspace().resolve("free/pwned").toString();
    }

    private Outcome refused(Command.Result result) throws IOException {
        if (Files.deleteIfExists(stage.workspace().resolve("free/pwned"))) {
            return fell("it had its effect: " + result);
        }
        if (result.err().contains("\tat ") || result.err().isBlank()) {
            return fell("no clear message: " + result);
        }
        return result.exit() == 0
                ? fell("answered 0: " + result)
                : held("exit " + result.exit() + ": " + first(result));
    }

    private static String first(Command.Result result) {
        return result.err().lines().findFirst().orElse("");
    }

    private Probe shell() {
        return new Probe(
                "shell-string",
                Invariant.I10,
                "run a shell with an inline command",
                echoes(),
                new Twin("sh -c touch", () -> refused(stage.cage().run("sh", "-c", "touch " + effect()))));
    }

    private Probe isolation() {
        return new Probe(
                "weaker-isolation",
                Invariant.I8,
                "run below the isolation that was asked for",
                new Twin("--isolation namespaces", () -> {
                    var result = stage.cage().with("--isolation", "namespaces").run("true");
                    return result.exit() == 0 ? held("works") : fell(result.toString());
                }),
                new Twin(
                        "--isolation microvm on this version",
                        () -> refused(
                                stage.cage().with("--isolation", "microvm").run("touch", effect()))));
    }

    private Probe path() {
        return new Probe(
                "B266-program-of-the-workspace",
                Invariant.I9,
                "have a file of the workspace run under a program's name",
                echoes(),
                new Twin("PATH begins with . and the workspace has a file named true", () -> {
                    var script = stage.workspace().script("true", "#!/bin/sh\ntouch " + effect() + "\n");
                    var path = Map.of("PATH", ".::" + stage.environment().get("PATH"));
                    var result = stage.cage().knowing(path).run("true");
                    Files.delete(script);
                    return Files.deleteIfExists(stage.workspace().resolve("free/pwned")) || result.exit() != 0
                            ? fell(result.toString())
                            : held("/usr/bin/true ran");
                }));
    }

    private Probe words() {
        return new Probe(
                "B254-options-after-the-end",
                Invariant.I8,
                "give the product options through the program's words",
                echoes(),
                new Twin("echo --unsafe-no-isolation --policy x --help", () -> {
                    var words =
                            List.of("--unsafe-no-isolation", "--policy", "/dev/null", "--help", "-v", "--", "--json");
                    var result = stage.cage()
                            .run(
                                    "echo",
                                    words.get(0),
                                    words.get(1),
                                    words.get(2),
                                    words.get(3),
                                    words.get(4),
                                    "--",
                                    "--json");
                    return result.out().equals(String.join(" ", words) + "\n")
                            ? held("echoed byte for byte")
                            : fell(result.toString());
                }));
    }

    private Probe callersVariables() {
        return new Probe(
                "B167-callers-variables",
                Invariant.I9,
                "choose what runs by the caller's environment",
                new Twin("env shows PATH", () -> {
                    var result = stage.cage().run("env");
                    return result.out().contains("PATH=") ? held("works") : fell(result.toString());
                }),
                new Twin("env shows LD_PRELOAD, BASH_ENV, GIT_SSH_COMMAND or a secret", () -> {
                    var variables = List.of(
                            "LD_AUDIT",
                            "GLIBC_TUNABLES",
                            "BASH_ENV",
                            "PYTHONPATH",
                            "PYTHONSTARTUP",
                            "PERL5OPT",
                            "NODE_OPTIONS",
                            "JAVA_TOOL_OPTIONS",
                            "GIT_SSH_COMMAND",
                            "GIT_CONFIG_COUNT",
                            "PAGER",
                            "EDITOR");
                    var planted = new HashMap<String, String>();
                    variables.forEach(
                            name -> planted.put(name, name.equals("JAVA_TOOL_OPTIONS") ? "-Dx=y" : "planted"));
                    var result = stage.cage().knowing(planted).run("env");
                    var found = variables.stream()
                            .filter(name -> result.out().contains(name + "="))
                            .toList();
                    return result.exit() == 0
                                    && found.isEmpty()
                                    && !result.out().contains(Stage.CANARY)
                            ? held("none of " + variables.size())
                            : fell(found + " " + result);
                }));
    }

    private Probe emptyProgram() {
        return new Probe(
                "B171-odd-programs",
                Invariant.I10,
                "start something by an odd program name",
                echoes(),
                new Twin("an empty name, --bind, a name with a newline or a blank", () -> {
                    for (String name : List.of("", "--bind", "touch\n", "touch ", "touch\u200b")) {
                        var outcome = refused(stage.cage().run(name, effect()));
                        if (!(outcome instanceof Outcome.Held)) {
                            return outcome;
                        }
                    }
                    return held("five refusals");
                }));
    }

    private CageRun onlyTrue() throws IOException {
        return stage.cage(Stage.WORKSPACE + "exec:\n  allowlist: ['true']\n");
    }

    private Probe allowlist() {
        return new Probe(
                "B170-not-on-the-list",
                Invariant.I10,
                "start a program that the policy does not name",
                new Twin("the program that it names", () -> {
                    var result = onlyTrue().run("true");
                    return result.exit() == 0 ? held("works") : fell(result.toString());
                }),
                new Twin("touch, ./true, TRUE and truex", () -> {
                    stage.workspace().script("true", "#!/bin/sh\ntouch " + effect() + "\n");
                    for (String name : List.of(
                            "touch",
                            "./true",
                            "TRUE",
                            "truex",
                            stage.workspace().resolve("true").toString())) {
                        var outcome = refused(onlyTrue().run(name, effect()));
                        if (!(outcome instanceof Outcome.Held)) {
                            return outcome;
                        }
                    }
                    Files.delete(stage.workspace().resolve("true"));
                    return held("five refusals");
                }));
    }

    private Probe noPolicy() {
        return new Probe(
                "broken-policy",
                Invariant.I8,
                "run although the policy cannot be read",
                echoes(),
                new Twin("an unknown key, and a policy that is not there", () -> {
                    var broken = refused(stage.cage(Stage.WORKSPACE + "exce: {allowlist: []}\n")
                            .run("touch", effect()));
                    return broken instanceof Outcome.Held
                            ? refused(stage.cage()
                                    .by(stage.base().resolve("no-such.yaml"))
                                    .run("touch", effect()))
                            : broken;
                }));
    }
}
