package dev.cagewright.cli.audit;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;

/// `audit keygen --seal`: the key is given out first and the log is sealed then, so that no log is ever sealed with a
/// key
/// that nobody has. If the second step fails, the key is void.
final class SealKeygen {
    private final Console console;

    SealKeygen(Console console) {
        this.console = console;
    }

    int seal(Path log, KeygenOptions options) throws IOException {
        try (var key = SealKey.generate()) {
            AuditLog.seal(log, key, kept -> giveOut(kept, log, options), InstantSource.system());
        }
        console.say("sealed: " + Visible.text(log.toString()) + " from its next line on, the lines before included");
        return ExitCode.OK.code();
    }

    private void giveOut(SealKey key, Path log, KeygenOptions options) throws IOException {
        var json = Json.object().put("log", log.toString());
        if (options.prefix().isPresent()) {
            var file = Path.of(options.prefix().get() + ".seal.hex").toAbsolutePath();
            key.write(file);
            console.say("seal key: " + Visible.text(file.toString()));
            json.put("seal_key_file", file.toString());
        }
        console.more("Take it to where this machine cannot reach it, now, and leave no copy here: who has it can");
        console.more("prove every seal of the log, and forge every one. It is given out this one time.");
        if (options.prefix().isEmpty()) {
            var digits = key.digits();
            if (options.json()) {
                json.put("seal_key", new String(digits, 0, digits.length - 1, StandardCharsets.US_ASCII));
            } else {
                console.out().write(digits, 0, digits.length);
            }
            Arrays.fill(digits, (byte) 0);
        }
        if (options.json()) {
            console.out().println(json.build().write());
        }
        if (console.isBroken()) {
            throw new IOException("the seal key could not be printed: nothing was sealed");
        }
    }
}
