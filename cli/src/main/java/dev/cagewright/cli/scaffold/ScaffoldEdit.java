package dev.cagewright.cli.scaffold;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.host.PersonsProgram;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.scaffold.Scaffolds.NamedText;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One of a person's scaffolds in their editor. What they wrote is judged before it takes the file's place, and is kept
/// where it is wrong.
///
/// @param file `scaffold.yaml` or `policy.yaml`
record ScaffoldEdit(Console console, Scaffolds scaffolds, String name, String file) {
    /// @param environment says which editor
    /// @throws IOException if the scaffold is the product's, or a file cannot be read or written
    ExitCode run(Map<String, String> environment) throws IOException, InterruptedException {
        if (scaffolds.isBuiltIn(name)) {
            throw new IOException("scaffold " + name + " comes with the product (expected: one of yours; cagewright"
                    + " scaffold create NAME --from " + name + " starts one)");
        }
        var before = scaffolds.files(name);
        var editor = PersonsProgram.editor(environment)
                .orElseThrow(() -> new IOException("there is no editor (expected: EDITOR or VISUAL set, or your own"
                        + " change of " + scaffolds.own().resolve(name).resolve(file) + ")"));
        var original = text(before);
        var copy = Files.createTempDirectory("cagewright-edit-").resolve(file);
        Files.writeString(copy, original);
        int status = editor.on(copy);
        var after = read(copy);
        if (status != 0) {
            return left("the editor ended with " + status + ": nothing is changed", copy);
        }
        if (after.equals(Optional.of(original))) {
            clear(copy);
            console.say("nothing is changed");
            return ExitCode.OK;
        }
        var wrong = after.map(text -> wrong(before, text)).orElse(List.of(file + ": is not UTF-8"));
        if (!wrong.isEmpty()) {
            wrong.stream().map(Visible::text).forEach(console::say);
            return left("nothing is changed", copy);
        }
        scaffolds.replace(name, new NamedText(file, after.orElseThrow()));
        clear(copy);
        console.say("kept; holds from the next start");
        return ExitCode.OK;
    }

    private String text(List<NamedText> files) {
        return files.stream()
                .filter(one -> one.name().equals(file))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--file: \"" + Visible.text(file) + "\" (expected: scaffold.yaml or policy.yaml)"))
                .text();
    }

    private static Optional<String> read(Path copy) throws IOException {
        try {
            return Optional.of(Files.readString(copy));
        } catch (MalformedInputException _) {
            return Optional.empty();
        }
    }

    /// Everything that would be wrong, a line each.
    private List<String> wrong(List<NamedText> before, String text) {
        var files = new ArrayList<>(before);
        files.replaceAll(one -> one.name().equals(file) ? new NamedText(file, text) : one);
        try {
            var scaffold = scaffolds.of(scaffolds.own().resolve(name).toString(), files);
            return scaffold.name().equals(name)
                    ? List.of()
                    : List.of(file + ": name: " + scaffold.name() + " (expected: " + name + ")");
        } catch (PolicySyntaxException e) {
            return String.valueOf(e.getMessage()).lines().toList();
        } catch (BadPolicyException e) {
            return e.problems().stream()
                    .map(BadPolicyException.Problem::toString)
                    .toList();
        }
    }

    private ExitCode left(String what, Path copy) {
        console.say(what + "; what you wrote is in " + Visible.text(copy.toString()));
        return ExitCode.CHECK_FAILED;
    }

    /// Editors leave backups beside it.
    private static void clear(Path copy) throws IOException {
        try (var files = Files.list(copy.resolveSibling(""))) {
            for (Path one : files.toList()) {
                Files.deleteIfExists(one);
            }
        }
        Files.deleteIfExists(copy.resolveSibling(""));
    }
}
