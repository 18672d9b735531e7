package dev.cagewright.cli.token;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.right.Rights;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `token mint`: a root, made with the host's key.
@Command(
        name = "mint",
        description = {
            "Makes a token with the host's key. It grants what is named and nothing else; an axis that is not named"
                    + " grants nothing.",
            "A token is a secret of its bearer's: whoever has it may do what it grants."
        },
        mixinStandardHelpOptions = true)
final class MintCommand implements Callable<Integer> {
    private static final long USUAL = 3600;

    private final Console console;
    private final StateFolders folders;

    @Mixin
    private final KeyOption key = new KeyOption();

    @Mixin
    private final RightsOptions rights = new RightsOptions();

    @Option(names = "--issuer", paramLabel = "NAME", description = "Who mints it, for people; by default nobody.")
    private Optional<String> issuer = Optional.empty();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "Where it goes, mode 0600; by default alone to the standard output.")
    private Optional<Path> out = Optional.empty();

    MintCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        long now = InstantSource.system().instant().getEpochSecond();
        var root = new Link(
                rights.rev().orElseGet(() -> new RevId(Handover.newName("root-", new SecureRandom()))),
                issuer,
                now,
                now + rights.expiresIn().orElse(USUAL),
                rights.over(Rights.NONE));
        try (var host = key.key()) {
            new Handover(console, out).give(key.office(folders, host).mint(root), root);
            return ExitCode.OK.code();
        } catch (RefusedTokenException e) {
            console.say("denied: " + e.getMessage());
            return ExitCode.DENIED.code();
        }
    }
}
