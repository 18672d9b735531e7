package dev.cagewright.cli.named;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.host.PersonsProgram;
import dev.cagewright.supervisor.named.CageEdit;
import dev.cagewright.supervisor.named.CageSession;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright edit NAME`: the policy of a named cage in the person's editor.
@Command(
        name = "edit",
        description = "Opens a named cage's policy in $VISUAL or $EDITOR; what is wrong does not take its place.",
        mixinStandardHelpOptions = true)
public final class EditCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final Map<String, String> environment;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "The cage.")
    private String name = "";

    @Option(names = "--cage", description = "Its cage.yaml instead: workspace, scaffold, secrets, ports.")
    private boolean form;

    /// @param environment says which editor
    public EditCommand(Console console, StateFolders folders, Map<String, String> environment) {
        this.console = console;
        this.folders = folders;
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var cages = NamedCages.of(folders);
        var edit = CageEdit.begin(cages, name, form ? CageEdit.Which.FORM : CageEdit.Which.POLICY);
        var editor = PersonsProgram.editor(environment)
                .orElseThrow(() -> new IllegalArgumentException("there is no editor (expected: EDITOR or VISUAL set,"
                        + " or your own change of " + edit.file() + " and cagewright verify " + name + ")"));
        var copy = Files.createTempDirectory(cages.state(name), "edit-")
                .resolve(name + "-" + edit.file().getFileName());
        OwnerFile.write(copy, edit.before());
        return inEditor(cages, edit, editor, copy);
    }

    private int inEditor(NamedCages cages, CageEdit edit, PersonsProgram editor, Path copy)
            throws IOException, InterruptedException {
        while (true) {
            int status = editor.on(copy);
            if (status != 0 && Arrays.equals(OwnerFile.read(copy, SourceText.MAX_BYTES), edit.before())) {
                clear(copy);
                console.say("the editor ended with " + status + ": nothing is changed");
                return ExitCode.CHECK_FAILED.code();
            }
            if (status != 0) {
                console.say("the editor ended with " + status + ": nothing is changed; what you wrote is in "
                        + Visible.text(copy.toString()));
                return ExitCode.CHECK_FAILED.code();
            }
            var text = OwnerFile.read(copy, SourceText.MAX_BYTES);
            if (Arrays.equals(text, edit.before())) {
                clear(copy);
                console.say("nothing is changed");
                return ExitCode.OK.code();
            }
            var problems = edit.problems(text);
            if (problems.isEmpty()) {
                var effects = edit.effects(text);
                edit.keep(text);
                clear(copy);
                tell(effects, CageSession.isUp(cages, name));
                return ExitCode.OK.code();
            }
            problems.stream().map(Visible::text).forEach(console::say);
            if (!Answer.yes(console, "edit it again? [Y/n] ", Answer.Silence.YES)) {
                console.say("nothing is changed; what you wrote is in " + Visible.text(copy.toString()));
                return ExitCode.CHECK_FAILED.code();
            }
        }
    }

    /// Editors leave backups beside it.
    private static void clear(Path copy) throws IOException {
        var folder = copy.resolveSibling("");
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }

    private void tell(List<CageEdit.Effect> effects, boolean isUp) {
        if (effects.isEmpty()) {
            console.say("kept; it says what it said");
            return;
        }
        if (!isUp) {
            console.say("kept; holds from the next start:");
            effects.forEach(effect -> console.more(Visible.text(effect.change())));
            return;
        }
        part(effects, CageEdit.Effect.When.NOW, "kept; holds from now on:");
        part(effects, CageEdit.Effect.When.RESTART, "needs cagewright restart " + name + ":");
    }

    private void part(List<CageEdit.Effect> effects, CageEdit.Effect.When when, String head) {
        var some = effects.stream().filter(effect -> effect.when() == when).toList();
        if (!some.isEmpty()) {
            console.say(head);
            some.forEach(effect -> console.more(Visible.text(effect.change())));
        }
    }
}
