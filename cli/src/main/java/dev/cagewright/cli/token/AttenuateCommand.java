package dev.cagewright.cli.token;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.TokenFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `token attenuate`: a child that grants less.
@Command(
        name = "attenuate",
        description = {
            "Makes a narrower token of one, with the host's key. An axis that is not named stays as the parent has it;"
                    + " '' as its value grants nothing there.",
            "What cannot be shown to be narrower is refused. Revoking the parent revokes it too."
        },
        mixinStandardHelpOptions = true)
final class AttenuateCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Mixin
    private final KeyOption key = new KeyOption();

    @Mixin
    private final RightsOptions rights = new RightsOptions();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = {"--parent", "--token"},
            paramLabel = "FILE",
            required = true,
            description = "The token to narrow, or - for the standard input.")
    private String parent = "";

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "Where it goes, mode 0600; by default alone to the standard output.")
    private Optional<Path> out = Optional.empty();

    AttenuateCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var text = TokenFiles.read(parent);
        try (var host = key.key()) {
            var office = key.office(folders, host);
            var child = switch (office.verifier().read(text)) {
                case Verification.Genuine(Token token) -> child(token);
                case Verification.Refused refused -> throw new RefusedTokenException(refused);
            };
            new Handover(console, out).give(office.attenuate(text, child), child);
            return ExitCode.OK.code();
        } catch (RefusedTokenException e) {
            console.say("denied: " + e.getMessage());
            return ExitCode.DENIED.code();
        }
    }

    private Link child(Token parent) {
        long now = InstantSource.system().instant().getEpochSecond();
        return new Link(
                rights.rev().orElseGet(() -> new RevId(Handover.newName("child-", new SecureRandom()))),
                Optional.empty(),
                now,
                Math.max(
                        now + 1,
                        rights.expiresIn().map(seconds -> now + seconds).orElse(parent.expires())),
                rights.over(parent.head().rights()));
    }
}
