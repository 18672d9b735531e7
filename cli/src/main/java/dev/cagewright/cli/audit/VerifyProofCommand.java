package dev.cagewright.cli.audit;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.read.EventView;
import dev.cagewright.audit.verify.ProofVerdict;
import dev.cagewright.audit.verify.ProofVerifier;
import dev.cagewright.audit.verify.Trust;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright audit verify-proof`: needs no log, only the log's public key.
@Command(
        name = "verify-proof",
        description = {
            "Checks a proof of audit prove against a public key; no log is needed.",
            "Ends with 0 when it holds, 1 when it does not."
        },
        mixinStandardHelpOptions = true)
public final class VerifyProofCommand implements Callable<Integer> {
    private static final int LONGEST = 4 << 20;

    private final Console console;

    @Parameters(paramLabel = "PROOF", description = "The proof's file.")
    @SuppressWarnings("FieldCanBeFinal")
    private Path proof = Path.of("");

    @Option(
            names = {"--key", "--pubkey"},
            required = true,
            paramLabel = "FILE",
            description = "PREFIX.pub.hex of keygen.")
    private Path key = Path.of("");

    @Option(
            names = "--line",
            paramLabel = "FILE",
            description = "The line, if the proof does not carry it or you want to be sure of your own copy.")
    private Optional<Path> line = Optional.empty();

    @Option(names = "--since", paramLabel = "OLD", description = "The older checkpoint of a proof that the log grew.")
    private Optional<Path> since = Optional.empty();

    @Mixin
    private final WitnessOptions witnesses = new WitnessOptions();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public VerifyProofCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        var verifier = new ProofVerifier(witnesses.on(Trust.NOBODY.pinned(PinnedKey.read(key))));
        var bytes = read(proof);
        if (ProofVerifier.isConsistency(bytes) != since.isPresent()) {
            throw new IllegalArgumentException("--since: " + (since.isPresent() ? "given for" : "missing for")
                    + (since.isPresent() ? " a proof about one line" : " a proof that a log grew")
                    + " (expected: the older checkpoint, with a proof that a log grew)");
        }
        var verdict = since.isPresent()
                ? verifier.consistency(bytes, Checkpoint.read(since.get()))
                : verifier.inclusion(bytes, line());
        tell(verdict);
        return verdict instanceof ProofVerdict.Refused ? ExitCode.CHECK_FAILED.code() : ExitCode.OK.code();
    }

    private Optional<byte[]> line() throws IOException {
        if (line.isEmpty()) {
            return Optional.empty();
        }
        var bytes = read(line.get());
        boolean ended = bytes.length > 0 && bytes[bytes.length - 1] == '\n';
        return Optional.of(ended ? Arrays.copyOf(bytes, bytes.length - 1) : bytes);
    }

    private static byte[] read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(LONGEST);
        }
    }

    private void tell(ProofVerdict verdict) {
        console.out().println(json ? json(verdict) : text(verdict));
    }

    private String text(ProofVerdict verdict) {
        var ok = console.palette().good("ok") + ": ";
        return switch (verdict) {
            case ProofVerdict.Included(var found, var checkpoint, var names) ->
                ok + "line " + found.seq() + " of log " + checkpoint.log() + ", signed at " + checkpoint.time()
                        + " with " + checkpoint.seq() + " lines"
                        + (names.isEmpty() ? "" : "\n  cosigned: " + Visible.text(String.join(", ", names))) + "\n  "
                        + EventView.text(found, EventView.UNLIMITED);
            case ProofVerdict.Grown(var old, var checkpoint) ->
                ok + "log " + checkpoint.log() + " only grew, from " + old.seq() + " to " + checkpoint.seq() + " lines";
            case ProofVerdict.Refused(var reason) -> console.palette().bad("not proven") + ": " + Visible.text(reason);
        };
    }

    private static String json(ProofVerdict verdict) {
        var object = switch (verdict) {
            case ProofVerdict.Included(var found, var checkpoint, var names) ->
                Json.object()
                        .put("proven", true)
                        .put("log", checkpoint.log())
                        .put("line", found.seq())
                        .put("of", checkpoint.seq())
                        .put("hash", found.hash())
                        .put("witnesses", names);
            case ProofVerdict.Grown(var old, var checkpoint) ->
                Json.object()
                        .put("proven", true)
                        .put("log", checkpoint.log())
                        .put("from", old.seq())
                        .put("to", checkpoint.seq());
            case ProofVerdict.Refused(var reason) ->
                Json.object().put("proven", false).put("reason", reason);
        };
        return object.build().write();
    }
}
