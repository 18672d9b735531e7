package dev.cagewright.cli.audit;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Sealing.Tail;
import dev.cagewright.audit.verify.Verdict;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `cagewright audit ...`: makes keys, signs, verifies and lists.
@Command(name = "audit", description = "Signs, verifies and lists what happened.", mixinStandardHelpOptions = true)
public final class AuditCommands {
    private final Console console;
    private final StateFolders folders;

    public AuditCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Command(
            name = "keygen",
            description = {
                "Makes a pair of Ed25519 keys: PREFIX.secret.hex and PREFIX.pub.hex.",
                "With --seal, makes the seal key of a log and seals the log from here on. The key is given out"
                        + " once, alone on the standard output or in PREFIX.seal.hex, and stays nowhere else."
            },
            mixinStandardHelpOptions = true)
    int keygen(@Mixin LogOption log, @Mixin KeygenOptions options) throws IOException {
        if (options.isSeal()) {
            return new SealKeygen(console).seal(log.path(folders), options);
        }
        if (options.prefix().isEmpty()) {
            console.say("keygen: --out-prefix PREFIX says where the keys go, or --seal makes a seal key");
            return ExitCode.USAGE.code();
        }
        return keyPair(options.prefix().get(), options.json());
    }

    private int keyPair(Path prefix, boolean json) throws IOException {
        var key = SigningKey.generate(prefix.toAbsolutePath());
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("public_key", key.hex())
                            .put("public_file", prefix + ".pub.hex")
                            .put("secret_file", prefix + ".secret.hex")
                            .build()
                            .write());
            return ExitCode.OK.code();
        }
        var shown = Visible.text(prefix.toString());
        console.out().println("public key " + key.hex());
        console.out().println("  " + shown + ".pub.hex     keep a copy where the log's machine cannot reach it");
        console.out().println("  " + shown + ".secret.hex  signs checkpoints; keep it to yourself");
        return ExitCode.OK.code();
    }

    /// How an answer is printed.
    private enum Format {
        TEXT,
        JSON
    }

    @Command(
            name = "verify",
            description = {
                "Checks every line, the chain, the tree and the checkpoints beside the log.",
                "Ends with 0 when intact, 1 when broken, 6 when lines follow the newest checkpoint and"
                        + " --require-anchored is given, or when --seal-key is given and the log's end cannot be"
                        + " shown to be complete, and 7 when the end was cut off."
            },
            mixinStandardHelpOptions = true)
    int verify(@Mixin LogOption log, @Mixin VerifyOptions options) throws IOException {
        if (options.sealKey().isEmpty()) {
            return verify(LogVerifier.of(log.path(folders)), options);
        }
        try (var key = SealKey.read(options.sealKey().get())) {
            return verify(LogVerifier.of(log.path(folders)).sealed(key), options);
        }
    }

    private int verify(LogVerifier ofLog, VerifyOptions options) throws IOException {
        var verifier = ofLog;
        if (options.publicKey().isPresent()) {
            verifier = verifier.pinned(PinnedKey.read(options.publicKey().get()));
        }
        for (Path checkpoint : options.checkpoints()) {
            verifier = verifier.anchored(checkpoint);
        }
        if (options.since().isPresent()) {
            verifier = verifier.anchored(options.since().get());
        }
        verifier = options.witnesses().on(verifier);
        var format = options.json() ? Format.JSON : Format.TEXT;
        return switch (verifier.verify()) {
            case Verdict.Broken broken -> tellBroken(broken, format);
            case Verdict.Intact intact -> tellIntact(intact, format, options);
        };
    }

    private int tellBroken(Verdict.Broken broken, Format format) {
        if (format == Format.JSON) {
            console.out()
                    .println(Json.object()
                            .put("intact", false)
                            .put("line", broken.line())
                            .put("offset", broken.offset())
                            .put("reason", broken.reason())
                            .build()
                            .write());
        } else {
            var where = broken.line() == 0 ? "" : "line " + broken.line() + " (byte " + broken.offset() + "): ";
            console.out().println(console.palette().bad("broken") + ": " + where + Visible.text(broken.reason()));
        }
        return ExitCode.CHECK_FAILED.code();
    }

    private int tellIntact(Verdict.Intact intact, Format format, VerifyOptions options) {
        console.out().println(format == Format.JSON ? json(intact).write() : text(intact, options));
        if (format == Format.TEXT && options.since().isPresent()) {
            console.out()
                    .println("  grown only: it begins with the lines of "
                            + Visible.text(options.since().get().toString()));
        }
        return switch (intact.notes().sealing().tail()) {
            case Tail.Cut _ -> ExitCode.CUT.code();
            case Tail.Unanchored _ -> ExitCode.UNANCHORED.code();
            case Tail.Complete _, Tail.Unknown _ ->
                options.requiresAnchor() && intact.unanchored() > 0 ? ExitCode.UNANCHORED.code() : ExitCode.OK.code();
        };
    }

    private static JsonObject json(Verdict.Intact intact) {
        return Json.object()
                .put("intact", true)
                .put("log", intact.log())
                .put("events", intact.count())
                .put("head", intact.head())
                .put("anchored", intact.anchored())
                .put("unanchored", intact.unanchored())
                .put("checkpoints_verified", intact.notes().checkpoints())
                .put("interrupted", intact.notes().interrupted())
                .put("frozen", intact.notes().panic().isPresent())
                .put("seals", SealText.json(intact.notes().sealing()))
                .build();
    }

    private String text(Verdict.Intact intact, VerifyOptions options) {
        var text = new StringBuilder(console.palette().good("ok"))
                .append(": ")
                .append(intact.count())
                .append(" events, head ")
                .append(intact.head());
        if (intact.notes().checkpoints() > 0) {
            text.append("\n  checkpoints verified: ").append(intact.notes().checkpoints());
        } else {
            text.append(
                    options.publicKey().isPresent()
                            ? "\n  no checkpoint: `cagewright audit checkpoint` makes one"
                            : "\n  signatures not checked: name the key with --pubkey");
        }
        if (intact.unanchored() > 0) {
            text.append("\n  unanchored: the last ")
                    .append(intact.unanchored())
                    .append(" events have no checkpoint yet");
        }
        SealText.lines(intact.notes().sealing())
                .forEach(line -> text.append("\n  ").append(line));
        intact.notes()
                .panic()
                .ifPresent(why -> text.append("\n  frozen by panic: ").append(why));
        intact.notes()
                .interrupted()
                .forEach(id -> text.append("\n  interrupted, no outcome: ").append(id));
        return text.toString();
    }
}
