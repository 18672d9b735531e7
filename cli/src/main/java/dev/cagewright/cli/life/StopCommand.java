package dev.cagewright.cli.life;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.supervisor.resident.CageState;
import dev.cagewright.supervisor.resident.RefusedException;
import dev.cagewright.supervisor.resident.ResidentClient;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright stop`: a named cage ends, and every process in it.
@Command(
        name = "stop",
        description = "Stops a named cage: its programs may clear up, then nothing of it lives. Its files stay.",
        mixinStandardHelpOptions = true)
public final class StopCommand implements Callable<Integer> {
    private final Background background;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The cage.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--all", description = "All that are up.")
    private boolean all;

    public StopCommand(Background background) {
        this.background = background;
    }

    @Override
    public Integer call() throws IOException {
        if (name.isPresent() == all) {
            throw new IllegalArgumentException("stop (expected: the name of a cage, or --all)");
        }
        var client = name.isPresent()
                ? Optional.of(background.found(name.get()))
                : ResidentClient.find(background.folders());
        if (client.isEmpty()) {
            return ExitCode.OK.code();
        }
        var names = name.map(List::of).orElse(null);
        int code = ExitCode.OK.code();
        for (String one : names == null ? names(client.get()) : names) {
            code = Math.max(code, stop(background, client.get(), one));
        }
        return code;
    }

    private static List<String> names(ResidentClient client) throws IOException {
        return client.state().cages().stream().map(CageState::name).toList();
    }

    static int stop(Background background, ResidentClient client, String name) throws IOException {
        try {
            var told = client.stop(name);
            background.console().say("stopped: " + name);
            background.tell(told);
            return ExitCode.OK.code();
        } catch (RefusedException e) {
            return background.refused(e);
        }
    }
}
