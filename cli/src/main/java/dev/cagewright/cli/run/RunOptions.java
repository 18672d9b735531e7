package dev.cagewright.cli.run;

import dev.cagewright.cli.CommandText;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.supervisor.credentials.SecretWish;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `run`, as the person gave them.
final class RunOptions {
    private final OptionSpec policy = CommandText.text(
            "FILE|NAME", "The cage's policy: a path, or the name of a file in the policies folder.", "--policy");

    private final OptionSpec audit =
            CommandText.text("LOG", "The audit log; by default the one of your state folder.", "--audit");

    private final OptionSpec isolation = CommandText.text(
            "LEVEL",
            "process, namespaces, gvisor or microvm (tier0, tier1, tier2); never weaker than the policy asks.",
            "--isolation",
            "--tier");

    private final OptionSpec workspace = CommandText.text(
            "DIR", "The directory that the policy calls /workspace; by default this one.", "--workspace");

    private final OptionSpec secrets = OptionSpec.builder("-s", "--secret")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("NAME[=VAR]")
            .description("A stored secret: the program finds a decoy in VAR, by default NAME, and its requests to the"
                    + " hosts that the secret is bound to carry the value. May be given several times.")
            .build();

    private final OptionSpec copy = CommandText.flag(
            "Let the program work on a copy of the workspace: your files stay as they are, and what it "
                    + "changed waits for cagewright changes and apply.",
            "--copy");

    private final OptionSpec token = CommandText.text(
            "FILE",
            "Run under this token too: nothing happens that it does not grant; - is standard input.",
            "--token");

    private final OptionSpec keyHex =
            CommandText.text("FILE", "The host's key that the token is verified with; it stays outside.", "--key-hex");

    private final OptionSpec revocations = CommandText.text(
            "FILE",
            "The signed list of what is revoked; by default that of the key in your state folder.",
            "--revocation-file",
            "--revocations");

    private final OptionSpec json =
            CommandText.flag("Print one JSON object with decision, output and exit on standard output.", "--json");

    private final OptionSpec dryRun = CommandText.flag("Decide and explain; build and run nothing.", "--dry-run");

    private final OptionSpec noTerminal = CommandText.flag("Give the program pipes even on a terminal.", "--no-tty");

    private final OptionSpec approvals = CommandText.text(
            "HOW",
            "What becomes of what needs approval: ask waits where somebody can be asked (the default), "
                    + "wait waits in any case, never denies at once.",
            "--approvals");

    private final OptionSpec quiet = CommandText.flag("Say nothing about runs that go well.", "-q", "--quiet");

    private final OptionSpec unsafeNoIsolation = CommandText.flag(
            "Run without any cage. Policy and log still hold; nothing else does.", "--unsafe-no-isolation");

    OptionSpec[] described() {
        return new OptionSpec[] {
            policy,
            audit,
            isolation,
            workspace,
            secrets,
            copy,
            token,
            keyHex,
            revocations,
            json,
            dryRun,
            noTerminal,
            approvals,
            quiet,
            unsafeNoIsolation
        };
    }

    Optional<String> policy() {
        return CommandText.given(policy);
    }

    Optional<String> audit() {
        return CommandText.given(audit);
    }

    /// @throws IllegalArgumentException naming the accepted levels
    Optional<Isolation> isolation() {
        return CommandText.given(isolation).map(word -> Isolation.parse("--isolation", word));
    }

    /// @throws IllegalArgumentException if its bytes are no text: the JVM could not open it
    Optional<String> workspace() {
        var given = CommandText.given(workspace);
        if (given.orElse("").indexOf('\ufffd') >= 0) {
            throw new IllegalArgumentException("--workspace: \""
                    + given.get().replace("\ufffd", "\\u{fffd}")
                    + "\" is not UTF-8 (expected: a path in UTF-8; rename the directory)");
        }
        return given;
    }

    /// @throws IllegalArgumentException if one is none; what was given is not shown
    List<SecretWish> secrets() {
        List<String> given = secrets.getValue();
        return given == null ? List.of() : given.stream().map(SecretWish::parse).toList();
    }

    TokenChoice.Files token() {
        return new TokenChoice.Files(
                CommandText.given(token), CommandText.given(keyHex), CommandText.given(revocations));
    }

    boolean copy() {
        return CommandText.isGiven(copy);
    }

    boolean json() {
        return CommandText.isGiven(json);
    }

    boolean dryRun() {
        return CommandText.isGiven(dryRun);
    }

    boolean noTerminal() {
        return CommandText.isGiven(noTerminal);
    }

    RunText.Voice voice() {
        return CommandText.isGiven(quiet) ? RunText.Voice.QUIET : RunText.Voice.NORMAL;
    }

    /// @throws IllegalArgumentException naming the accepted words
    Approving approvals() {
        return CommandText.given(approvals).map(Approving::parse).orElse(Approving.ASK);
    }

    boolean unsafeNoIsolation() {
        return CommandText.isGiven(unsafeNoIsolation);
    }
}
