package dev.cagewright.cli.run;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.approval.Approving;
import dev.cagewright.cli.screen.StatusChoice;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.supervisor.credentials.SecretWish;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `run`, as the person gave them.
public final class RunOptions {
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

    private final OptionSpec publish = OptionSpec.builder("--publish")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("PORT|HOST:CAGE")
            .description("A port of the cage that 127.0.0.1 of this host answers for while it runs; HOST may be 0 for"
                    + " any free one. May be given several times.")
            .build();

    private final OptionSpec copy = CommandText.flag(
            "Let the program work on a copy of the workspace: your files stay as they are, and what it "
                    + "changed waits for cagewright changes and apply.",
            "--copy");

    private final OptionSpec learn = CommandText.flag(
            "Let hosts, and tools of MCP servers, through that no rule of the cage's own policy names, record them, and"
                    + " show at the end the one change of the policy that would allow what was lacking. Changes no file.",
            "--learn");

    private final OptionSpec sign = OptionSpec.builder("--sign")
            .type(String.class)
            .arity("0..1")
            .fallbackValue("")
            .paramLabel("KEY")
            .description(
                    "Let git in the cage sign commits with a key of your ssh agent, which signs nothing else: the only",
                    "key, or --sign=KEY by its fingerprint or comment.")
            .build();

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

    private final OptionSpec noInput =
            CommandText.flag("Give the program no input: it has pipes, and reads an end at once.", "--no-input");

    private final OptionSpec approvals = CommandText.text(
            "HOW",
            "What becomes of what needs approval: ask waits where somebody can be asked (the default), "
                    + "wait waits in any case, never denies at once.",
            "--approvals");

    private final OptionSpec quiet = CommandText.flag("Say nothing about runs that go well.", "-q", "--quiet");

    private final OptionSpec status = CommandText.text(
            "HOW",
            "title shows cage, mode, denials and what waits in the terminal's title while a program has the terminal, "
                    + "unless it sets one itself; off does not. Agents: title; others: off.",
            "--status");

    private final OptionSpec summary = CommandText.flag(
            "Tell at the end what the run came to: hosts, denials, files, receipt. Agents always do; see cagewright"
                    + " summary.",
            "--summary");

    private final OptionSpec unsafeNoIsolation = CommandText.flag(
            "Run without any cage. Policy and log still hold; nothing else does.", "--unsafe-no-isolation");

    OptionSpec[] described() {
        return new OptionSpec[] {
            policy,
            audit,
            isolation,
            workspace,
            secrets,
            publish,
            copy,
            learn,
            sign,
            token,
            keyHex,
            revocations,
            json,
            dryRun,
            noTerminal,
            noInput,
            approvals,
            quiet,
            summary,
            status,
            unsafeNoIsolation
        };
    }

    /// Those that make sense for a server, whose input and output are a client's.
    public OptionSpec[] ofServer() {
        return new OptionSpec[] {
            policy, audit, isolation, workspace, secrets, copy, learn, token, keyHex, revocations, approvals
        };
    }

    /// The same options, but that nothing is told of runs that go well.
    public RunOptions quietly() {
        quiet.setValue(/* newValue= */ true);
        return this;
    }

    public Optional<String> policy() {
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

    /// Without links, so that what the policy judges and what is mounted are one path.
    public ByteString workspacePath() throws IOException {
        return ByteString.of(Path.of(workspace().orElse("")).toRealPath().toString());
    }

    /// @throws IllegalArgumentException if one is none; what was given is not shown
    List<SecretWish> secrets() {
        List<String> given = secrets.getValue();
        return given == null ? List.of() : given.stream().map(SecretWish::parse).toList();
    }

    /// @throws IllegalArgumentException if one is none
    List<PublishedPort> publish() {
        List<String> given = publish.getValue();
        return given == null
                ? List.of()
                : given.stream()
                        .map(port -> PublishedPort.parse("--publish", port))
                        .distinct()
                        .toList();
    }

    /// The credential that signs, where one is asked for.
    Optional<Credential> sign() {
        return Optional.<String>ofNullable(sign.getValue())
                .map(key -> new Credential(
                        "git-signing",
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(new Credential.Signing(
                                Credential.Signing.Purpose.GIT, Optional.of(key).filter(word -> !word.isEmpty())))));
    }

    TokenChoice.Files token() {
        return new TokenChoice.Files(
                CommandText.given(token), CommandText.given(keyHex), CommandText.given(revocations));
    }

    boolean copy() {
        return CommandText.isGiven(copy);
    }

    /// Is what the policy does not name let through and recorded?
    public boolean learn() {
        return CommandText.isGiven(learn);
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

    boolean noInput() {
        return CommandText.isGiven(noInput);
    }

    RunText.Voice voice() {
        return CommandText.isGiven(quiet) ? RunText.Voice.QUIET : RunText.Voice.NORMAL;
    }

    /// What becomes of what needs approval.
    ///
    /// @throws IllegalArgumentException naming the accepted words
    public Approving approvals() {
        return CommandText.given(approvals).map(Approving::parse).orElse(Approving.ASK);
    }

    /// @throws IllegalArgumentException naming the accepted words
    Optional<StatusChoice> status() {
        return CommandText.given(status).map(StatusChoice::parse);
    }

    boolean summary() {
        return CommandText.isGiven(summary);
    }

    boolean unsafeNoIsolation() {
        return CommandText.isGiven(unsafeNoIsolation);
    }
}
