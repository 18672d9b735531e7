package dev.cagewright.cli.life;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.resident.CageState;
import dev.cagewright.supervisor.resident.ResidentClient;
import dev.cagewright.supervisor.resident.unit.SystemdUnit;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `cagewright supervisor`: the background supervisor that hosts named cages.
@Command(
        name = "supervisor",
        description = "The background supervisor that hosts named cages: is there one, and its end.",
        mixinStandardHelpOptions = true)
public final class SupervisorCommands implements Runnable {
    /// What taking all cages down may take.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Background background;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public SupervisorCommands(Background background) {
        this.background = background;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "supervisor: no command (expected: status, stop, install or uninstall)");
    }

    @Command(name = "status", description = "Is there one, and what it hosts.", mixinStandardHelpOptions = true)
    int status(@Option(names = "--json", description = "Print one JSON object.") boolean json) throws IOException {
        var client = ResidentClient.find(background.folders());
        if (client.isEmpty()) {
            if (json) {
                background
                        .console()
                        .out()
                        .println(Json.object().put("up", false).build().write());
            } else {
                background.console().say("there is none (cagewright up NAME starts it)");
            }
            return ExitCode.CHECK_FAILED.code();
        }
        var state = client.get().state();
        if (json) {
            background
                    .console()
                    .out()
                    .println(Json.object()
                            .put("up", true)
                            .put("process", state.process())
                            .put("socket", client.get().address().toString())
                            .put(
                                    "cages",
                                    state.cages().stream()
                                            .map(CageState::toJson)
                                            .toList())
                            .build()
                            .write());
        } else {
            background.console().out().println("process  " + state.process());
            background.console().out().println("socket   " + client.get().address());
            background.console().out().println("cages    " + state.cages().size());
        }
        return ExitCode.OK.code();
    }

    @Command(name = "stop", description = "Ends it, and every cage that it hosts.", mixinStandardHelpOptions = true)
    int stop() throws IOException {
        var client = ResidentClient.find(background.folders());
        if (client.isEmpty()) {
            background.console().say("there is none");
            return ExitCode.OK.code();
        }
        var process = ProcessHandle.of(client.get().state().process());
        client.get().end();
        if (process.isPresent() && !isOver(process.get())) {
            background
                    .console()
                    .say("the background supervisor has not ended within " + PATIENCE.toMinutes()
                            + " minutes (expected: its cages go down sooner; its process is "
                            + process.get().pid() + ")");
            return ExitCode.NO_CAGE.code();
        }
        background.console().say("the background supervisor has ended, and its cages with it");
        return ExitCode.OK.code();
    }

    private static boolean isOver(ProcessHandle process) {
        try {
            process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
            return true;
        } catch (CompletionException _) {
            return false;
        }
    }

    @Command(
            name = "install",
            description = "Makes it a unit of your systemd: there from log-in on, and again when it fails.",
            mixinStandardHelpOptions = true)
    int install() throws IOException {
        var obstacle = SystemdUnit.obstacle();
        if (obstacle.isPresent()) {
            background
                    .console()
                    .say(Visible.text(obstacle.get() + "; nothing is installed, and nothing has to be: cagewright up"
                            + " starts the background supervisor by itself"));
            return ExitCode.NO_CAGE.code();
        }
        var unit = new SystemdUnit(background.folders());
        unit.install(Background.command("supervise"));
        background.console().out().println(Visible.text(unit.file().toString()));
        if (ResidentClient.find(background.folders()).isPresent()) {
            background
                    .console()
                    .say("the one that runs goes on; the unit takes its place after cagewright supervisor stop");
        } else {
            unit.start();
        }
        return ExitCode.OK.code();
    }

    @Command(
            name = "uninstall",
            description = "Takes the unit away again; ends the supervisor that it runs, and its cages.",
            mixinStandardHelpOptions = true)
    int uninstall() throws IOException {
        var unit = new SystemdUnit(background.folders());
        if (!unit.isInstalled()) {
            background.console().say("no unit is installed");
            return ExitCode.OK.code();
        }
        unit.uninstall();
        background.console().say("the unit is gone");
        return ExitCode.OK.code();
    }
}
