package dev.cagewright.cli.audit;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.verify.GrowingLog;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.anchor.Anchor;
import dev.cagewright.supervisor.anchor.Cadence;
import dev.cagewright.supervisor.anchor.Notary;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `cagewright audit checkpoint`: signs how far the log has come, once or again and again.
@Command(
        name = "checkpoint",
        description = {
            "Verifies the log, signs how far it has come, and carries the checkpoint to anchors.",
            "With --every it goes on until it is stopped. An anchor that fails is told, recorded in the log,",
            "and ends the command with 125."
        },
        mixinStandardHelpOptions = true)
public final class CheckpointCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Mixin
    private final LogOption log = new LogOption();

    @Option(names = "--key-hex", required = true, paramLabel = "FILE", description = "PREFIX.secret.hex of keygen.")
    private Path key = Path.of("");

    @Option(
            names = "--anchor",
            paramLabel = "FILE|URL",
            description = "Append the checkpoint to FILE or post it to URL; may be given several times.")
    private List<String> anchors = new ArrayList<>();

    @Option(
            names = "--every",
            paramLabel = "N|TIME",
            description =
                    "Sign again after N more lines, or once a line is unsigned for TIME (30s, 5m); both may be given.")
    private List<String> every = new ArrayList<>();

    @Option(names = "--json", description = "Print one JSON object for each checkpoint.")
    private boolean json;

    public CheckpointCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var path = log.path(folders);
        var places = anchors.stream().map(Anchor::parse).toList();
        var cadence = Cadence.parse(every);
        if (LogVerifier.of(path).verify() instanceof Verdict.Broken(long line, long offset, String reason)) {
            return tellBroken(line, offset, reason);
        }
        var signing = SigningKey.read(key);
        try (var growing = GrowingLog.open(path, signing.publicKey())) {
            var notary = new Notary(path, signing, places, InstantSource.system());
            if (!every.isEmpty()) {
                notary.follow(growing, cadence, this::tell);
            }
            var signed = notary.sign(growing);
            tell(signed);
            return signed.failures().isEmpty() ? ExitCode.OK.code() : ExitCode.NO_CAGE.code();
        } catch (BrokenChainException e) {
            return tellBroken(e.line(), e.offset(), String.valueOf(e.getMessage()));
        }
    }

    private void tell(Notary.Signed signed) {
        var checkpoint = signed.checkpoint();
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("events", checkpoint.seq())
                            .put("head", checkpoint.head())
                            .put("root", checkpoint.tree().root().base64())
                            .put("checkpoint", signed.file().toString())
                            .put(
                                    "failed",
                                    signed.failures().stream()
                                            .map(failure -> Map.of(failure.anchor(), failure.reason()))
                                            .toList())
                            .build()
                            .write());
        } else {
            console.out().println("signed: " + checkpoint.seq() + " events, head " + checkpoint.head());
            console.out()
                    .println("  " + Visible.text(signed.file().toString())
                            + "  keep a copy where the log's machine cannot reach it");
        }
        for (var failure : signed.failures()) {
            console.say("anchor " + Visible.text(failure.anchor()) + " failed: " + Visible.text(failure.reason()));
        }
    }

    private int tellBroken(long line, long offset, String reason) {
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("intact", false)
                            .put("line", line)
                            .put("offset", offset)
                            .put("reason", reason)
                            .build()
                            .write());
        } else {
            var where = line == 0 ? "" : "line " + line + " (byte " + offset + "): ";
            console.out().println(console.palette().bad("broken") + ": " + where + Visible.text(reason));
        }
        return ExitCode.CHECK_FAILED.code();
    }
}
