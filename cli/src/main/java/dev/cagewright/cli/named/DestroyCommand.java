package dev.cagewright.cli.named;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.named.CageEstate;
import dev.cagewright.supervisor.named.CageEstate.Part;
import dev.cagewright.supervisor.named.Litter;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.resident.ResidentClient;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright destroy NAME`: a named cage goes, with all that was its own.
@Command(
        name = "destroy",
        description = "Removes a named cage: its files, state, home and own secrets. Workspace and audit log stay.",
        mixinStandardHelpOptions = true)
public final class DestroyCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "The cage.")
    private String name = "";

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Option(names = "--keep-home", description = "Leave its home; a new cage of the name has it again.")
    private boolean keepHome;

    @Option(names = "--keep-secrets", description = "Leave the secrets that are this cage's alone.")
    private boolean keepSecrets;

    public DestroyCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var estate = new CageEstate(NamedCages.of(folders), name);
        var kept = kept();
        for (Litter litter : estate.without(kept)) {
            console.say("goes: " + litter.what() + ", "
                    + Visible.text(litter.place().toString()) + " (" + Sizes.text(litter.bytes()) + ")");
        }
        if (estate.hasSecrets() && !keepSecrets) {
            console.say("goes: the secrets of this cage alone");
        }
        if (!yes && !Answer.canBeAsked()) {
            throw new IllegalArgumentException(
                    "nothing is removed: there is nobody to ask (expected: -y, or a terminal)");
        }
        if (!yes && !Answer.yes(console, "remove the cage " + name + "? [y/N] ", Answer.Silence.NO)) {
            console.say("nothing is removed");
            return ExitCode.CHECK_FAILED.code();
        }
        ResidentClient.stopIfUp(folders, name).forEach(told -> console.say(Visible.text(told)));
        estate.remove(kept);
        console.say("the cage " + name + " is gone; what it did stays in the audit log");
        return ExitCode.OK.code();
    }

    private Set<Part> kept() {
        var kept = EnumSet.noneOf(Part.class);
        if (keepHome) {
            kept.add(Part.HOME);
        }
        if (keepSecrets) {
            kept.add(Part.SECRETS);
        }
        return kept;
    }
}
