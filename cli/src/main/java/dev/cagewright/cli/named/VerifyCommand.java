package dev.cagewright.cli.named;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright verify NAME`: is everything there that a named cage needs, and does it hold?
@Command(
        name = "verify",
        description = {
            "Looks at all that a named cage needs: its files, workspace, program and secrets, a cage really built",
            "around the workspace, TLS to its gateway, the log and the receipt of its last session.",
            "Ends with 1 when something is bad."
        },
        mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final Words words;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "The cage.")
    private String name = "";

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    /// @param words the product's own commands
    public VerifyCommand(Console console, StateFolders folders, Words words) {
        this.console = console;
        this.folders = folders;
        this.words = words;
    }

    @Override
    public Integer call() throws IOException {
        var cages = NamedCages.of(folders);
        cages.requireThere(name);
        var found = new CageCheck(console, cages, words, name).all();
        boolean isGood = found.stream().noneMatch(one -> one.state() == Finding.State.BAD);
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("cage", name)
                            .put("good", isGood)
                            .put("findings", found.stream().map(Finding::toJson).toList())
                            .build()
                            .write());
        } else {
            show(found);
        }
        return (isGood ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }

    private void show(List<Finding> found) {
        for (Finding one : found) {
            var word = switch (one.state()) {
                case OK -> console.palette().good("ok  ");
                case BAD -> console.palette().bad("bad ");
                case NONE -> "-   ";
            };
            console.out().println(word + String.format(Locale.ROOT, "%-10s", one.what()) + Visible.text(one.told()));
        }
    }
}
