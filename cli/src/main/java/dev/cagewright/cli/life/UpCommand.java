package dev.cagewright.cli.life;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.secret.FirstSecret;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.RefusedException;
import dev.cagewright.supervisor.resident.ResidentClient;
import dev.cagewright.supervisor.resident.UpOrder;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `cagewright up`: a named cage stands from now on.
@Command(
        name = "up",
        description = {
            "Starts a named cage, which stays until stop: what runs in it outlives this terminal.",
            "The background supervisor that hosts it starts by itself. One that is up stays as it is."
        },
        mixinStandardHelpOptions = true)
public final class UpCommand implements Callable<Integer> {
    private final Background background;

    @Mixin
    private final UpOptions options = new UpOptions();

    public UpCommand(Background background) {
        this.background = background;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException {
        return up(background, options);
    }

    static int up(Background background, UpOptions options) throws IOException, PolicySyntaxException {
        var name = options.name();
        var wishes = options.wishes();
        var cage = NamedCages.of(background.folders()).find(name);
        askForMissing(
                background,
                name,
                cage.scaffold(),
                Stream.concat(wishes.stream(), cage.secrets().stream())
                        .map(SecretWish::name)
                        .toList());
        try {
            var meanwhile = new ResidentClient.Hearer(
                    told -> told.forEach(sentence -> background.console().say(Visible.text(sentence))),
                    new FileOutputStream(FileDescriptor.err));
            var up = background.started().up(new UpOrder(name, wishes, CallerEnvironment.read()), meanwhile);
            background.console().say(word(up) + name + ", session " + up.session());
            background.tell(up.told());
            return ExitCode.OK.code();
        } catch (RefusedException e) {
            return background.refused(e);
        }
    }

    private static String word(ResidentClient.Up up) {
        return switch (up.arrival()) {
            case NEW -> "up: ";
            case BEFORE -> "already up: ";
        };
    }

    /// A secret that is wanted by name, that the agent knows the hosts of, and that is not stored, is asked for: the
    /// background supervisor has nobody to ask.
    private static void askForMissing(
            Background background, String name, Optional<String> scaffold, List<String> wished)
            throws IOException, PolicySyntaxException {
        if (scaffold.isEmpty() || !FirstSecret.canAsk()) {
            return;
        }
        try (var stored = new StoredSecrets(background.folders(), new TerminalPerson(background.console()))) {
            for (Credential secret :
                    Scaffolds.of(background.folders()).find(scaffold.get()).secrets()) {
                if (wished.contains(secret.name()) && !stored.has(secret.name(), Optional.of(new CageName(name)))) {
                    new FirstSecret(background.console(), background.folders()).ask(secret.name(), secret.useWith());
                }
            }
        }
    }
}
