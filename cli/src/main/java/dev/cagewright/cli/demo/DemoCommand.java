package dev.cagewright.cli.demo;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `cagewright demo`: an allowed run, a denied shell, a signed log, one flipped byte, a failed verification,
/// panic. Runs the real commands in a temporary folder that is gone afterwards.
@Command(
        name = "demo",
        description = "Shows the whole story with real commands: allowed, denied, signed, tampered with, frozen.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    private static final String POLICY = """
            tool: demo
            fs:
              mounts:
                - {path: /workspace, mode: rw}
            exec:
              allowlist: [python3]
            resources: {memory: 512MiB, timeout: 30s}
            """;

    private static final String PROGRAM = """
            import os, pathlib
            rows = [int(n) for n in pathlib.Path("data.csv").read_text().split(",")]
            print("sum", sum(rows), "| uid", os.getuid(), "| network", os.listdir("/sys/class/net") if os.path.exists("/sys") else "none")
            """;

    private final Console console;
    private final Commands commands;

    /// The product's own commands with other state folders.
    @FunctionalInterface
    public interface Commands {
        /// Runs one command line and returns its exit code.
        int run(Map<String, String> folders, String... words);
    }

    /// A step whose exit code is not what the story promises.
    private static final class SurpriseException extends Exception {
        private static final long serialVersionUID = 1;

        SurpriseException(String message) {
            super(message);
        }
    }

    public DemoCommand(Console console, Commands commands) {
        this.console = console;
        this.commands = commands;
    }

    @Override
    public Integer call() throws IOException {
        var folder = Files.createTempDirectory("cagewright-demo");
        try {
            tell(folder);
            return ExitCode.OK.code();
        } catch (SurpriseException e) {
            console.say(console.errPalette().bad("the demo broke off") + ": " + e.getMessage());
            return ExitCode.CHECK_FAILED.code();
        } finally {
            remove(folder);
        }
    }

    private void tell(Path folder) throws IOException, SurpriseException {
        var policy = Files.writeString(folder.resolve("policy.yaml"), POLICY).toString();
        var workspace = Files.createDirectory(folder.resolve("workspace"));
        Files.writeString(workspace.resolve("analyse.py"), PROGRAM);
        Files.writeString(workspace.resolve("data.csv"), "17,4,21");
        var log = folder.resolve("audit.jsonl");
        var run =
                new String[] {"run", "--policy", policy, "--workspace", workspace.toString(), "--audit", log.toString()
                };

        chapter("1. A program that the policy names runs in a cage, and is recorded.");
        step(folder, 0, with(run, "--", "python3", "analyse.py"));
        chapter("2. A shell with a command string is denied, with the reason and what would change it.");
        step(folder, ExitCode.DENIED.code(), with(run, "--", "sh", "-c", "echo pwned"));
        chapter("3. The log is signed, and verified against the key.");
        var key = folder.resolve("key").toString();
        step(folder, 0, "audit", "keygen", "--out-prefix", key);
        step(folder, 0, "audit", "checkpoint", "--log", log.toString(), "--key-hex", key + ".secret.hex");
        var verify = new String[] {"audit", "verify", "--log", log.toString(), "--pubkey", key + ".pub.hex"};
        step(folder, 0, verify);
        chapter("   One line is proven to somebody who has nothing but the public key.");
        var proof = folder.resolve("line2.tlog-proof").toString();
        step(folder, 0, "audit", "prove", "2", "--log", log.toString(), "-o", proof);
        step(folder, 0, "audit", "verify-proof", proof, "--key", key + ".pub.hex");
        chapter("4. One flipped bit, and verification fails.");
        flip(log);
        step(folder, ExitCode.CHECK_FAILED.code(), verify);
        flip(log);
        chapter("5. Panic freezes the log: nothing can be recorded any more, so nothing runs.");
        step(folder, 0, "panic", "--log", log.toString(), "--reason", "demo");
        step(folder, ExitCode.DENIED.code(), with(run, "--", "python3", "analyse.py"));
    }

    private void chapter(String title) {
        console.out().println();
        console.out().println(console.palette().strong(title));
    }

    private void step(Path folder, int expected, String... words) throws SurpriseException {
        console.out().println("$ cagewright " + String.join(" ", words).replace(folder + "/", ""));
        int code = commands.run(
                Map.of("XDG_STATE_HOME", folder.resolve("state").toString(), "XDG_CONFIG_HOME", folder.toString()),
                words);
        if (code != expected) {
            throw new SurpriseException(words[0] + " ended with " + code + " (expected: " + expected + ")");
        }
    }

    private static String[] with(String[] first, String... more) {
        var all = new String[first.length + more.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }

    /// Flips one bit in the middle of the log; a second time flips it back.
    private static void flip(Path log) throws IOException {
        var bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 1;
        Files.write(log, bytes);
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
