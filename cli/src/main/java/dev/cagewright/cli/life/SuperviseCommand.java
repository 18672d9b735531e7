package dev.cagewright.cli.life;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Signals;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.host.ThisProcess;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.resident.ResidentServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright supervise`: the background supervisor itself. People have no use for it; `up` starts it.
@Command(
        name = "supervise",
        hidden = true,
        description = "Hosts named cages until it is told to end; cagewright up starts it.",
        mixinStandardHelpOptions = true)
public final class SuperviseCommand implements Callable<Integer> {
    private static final String NEVER = "never";
    private static final String USUAL = "10m";

    /// signal(7)
    private static final int HUP = 1;

    private final Background background;

    @Option(
            names = "--idle",
            paramLabel = "TIME|never",
            description = "End after so long without a cage; 10m, or what CAGEWRIGHT_SUPERVISOR_IDLE says.")
    private Optional<String> idle = Optional.empty();

    public SuperviseCommand(Background background) {
        this.background = background;
    }

    @Override
    public Integer call() throws IOException, ConfinementException, InterruptedException {
        ThisProcess.leaveSession();
        var patience = patience();
        var server = ResidentServer.start(background.folders(), background.environment(), NamespacesRuntime::start);
        if (server.isEmpty()) {
            background.console().say("there is one already");
            return ExitCode.OK.code();
        }
        try (var running = server.get();
                var _ = Signals.handOn(
                        signal -> {
                            if (signal != HUP) {
                                running.end();
                            }
                        },
                        () -> {})) {
            running.await(patience);
        }
        return ExitCode.OK.code();
    }

    private Optional<Duration> patience() {
        var text = idle.orElseGet(() -> background.environment().getOrDefault("CAGEWRIGHT_SUPERVISOR_IDLE", USUAL));
        return text.equals(NEVER)
                ? Optional.empty()
                : Optional.of(TimeSpan.parse("--idle", text).value());
    }
}
