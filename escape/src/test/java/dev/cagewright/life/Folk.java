package dev.cagewright.life;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.Ends;
import dev.cagewright.supervisor.resident.ExecOrder;
import dev.cagewright.supervisor.resident.RemoteProgram;
import dev.cagewright.supervisor.resident.ResidentClient;
import dev.cagewright.supervisor.resident.ResidentStart;
import dev.cagewright.supervisor.resident.UpOrder;
import dev.cagewright.supervisor.resident.caller.Callers;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Named cages in one workspace, and the supervisor that hosts them.
///
/// @param command what starts the supervisor
record Folk(StateFolders folders, Path workspace, List<String> command) {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

    /// Below `root`.
    static Folk in(Path root, List<String> command) throws IOException {
        var folders = new StateFolders(root.resolve("config/cagewright"), root.resolve("state/cagewright"));
        return new Folk(
                folders, Files.createDirectories(root.resolve("workspace")).toRealPath(), command);
    }

    void make(String name) throws IOException, PolicySyntaxException {
        NamedCages.of(folders)
                .create(new NamedCage(name, workspace, Optional.empty(), List.of(), List.of()), """
            tool: %s
            min_isolation: namespaces
            fs:
              mounts:
                - {path: /workspace, mode: rw}
            net: {mode: allowlist, hosts: [{host: example.com}]}
            exec: {allowlist: [ls, sleep]}
            resources: {processes: 64}
            """.formatted(name));
    }

    ResidentClient supervisor() throws IOException {
        return new ResidentStart(command, System.getenv()).client(folders);
    }

    static ProcessHandle process(ResidentClient client) throws IOException {
        return ProcessHandle.of(client.state().process()).orElseThrow();
    }

    static void up(ResidentClient client, String name) throws IOException {
        client.up(new UpOrder(name, List.of(), variables()));
    }

    private static Map<ByteString, ByteString> variables() {
        return Map.of(ByteString.of("HOME"), ByteString.of("/nonexistent"));
    }

    /// Runs a program in a named cage; answers with its exit code.
    static int exec(ResidentClient client, String name, String... words) throws IOException {
        try (var program = client.exec(order(name, words), Streams.Pipes.discarding())) {
            return program.started() instanceof RemoteProgram.Started.Never(Ends never)
                    ? never.code()
                    : program.await().code();
        }
    }

    static ExecOrder order(String name, String... words) {
        return new ExecOrder(
                name,
                Arrays.stream(words).map(ByteString::of).toList(),
                variables(),
                Optional.empty(),
                Callers.Presence.PROGRAM);
    }

    /// Also where no library of tests is at hand.
    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            require(System.nanoTime() < end, "still waiting: " + what);
            LockSupport.parkNanos(5_000_000);
        }
    }

    /// Does any process of the machine have this word on its command line?
    static boolean runs(String word) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.anyMatch(process -> hasWord(process, word));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasWord(Path process, String word) {
        try {
            var words = new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1);
            return Arrays.asList(words.split("\0", -1)).contains(word);
        } catch (IOException _) {
            return false; // it is no process, or has ended
        }
    }
}
