package dev.cagewright.cli.life;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.ResidentClient;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `cagewright restart`: a named cage ends and starts anew, with what its files say now.
@Command(
        name = "restart",
        description = "Stops a named cage, if it is up, and starts it with what its files say now.",
        mixinStandardHelpOptions = true)
public final class RestartCommand implements Callable<Integer> {
    private final Background background;

    @Mixin
    private final UpOptions options = new UpOptions();

    public RestartCommand(Background background) {
        this.background = background;
    }

    /// What is wrong with its files is told before it is stopped.
    @Override
    public Integer call() throws IOException, PolicySyntaxException {
        var name = options.name();
        options.wishes();
        var cages = NamedCages.of(background.folders());
        cages.find(name);
        cages.policy(name);
        if (ResidentClient.isUp(background.folders(), name)) {
            int code = StopCommand.stop(background, background.found(name), name);
            if (code != ExitCode.OK.code()) {
                return code;
            }
        }
        return UpCommand.up(background, options);
    }
}
