package dev.cagewright.supervisor.resident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.caller.Callers.Presence;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A background supervisor within this process for each test, with two named cages that are not up.
@SuppressWarnings("NullAway") // set before each test
abstract class HostedCages {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    static final String POLICY = """
            tool: %s
            min_isolation: namespaces
            fs:
              mounts:
                - {path: /workspace, mode: rw}
            net: {mode: none}
            exec: {allowlist: [cat, ls, sleep, touch, id, no-such-program, bash]}
            resources: {processes: 64}
            """;

    @TempDir
    Path root;

    StateFolders folders;
    ResidentServer server;
    ResidentClient client;

    @BeforeEach
    void start() throws IOException, ConfinementException, PolicySyntaxException {
        folders = new StateFolders(root.resolve("config/cagewright"), root.resolve("state/cagewright"));
        Files.createDirectories(root.resolve("workspace"));
        for (String name : List.of("one", "two")) {
            make(name, POLICY.formatted(name));
        }
        server = ResidentServer.start(folders, Map.of(), NamespacesRuntime::start)
                .orElseThrow();
        client = ResidentClient.find(folders).orElseThrow();
    }

    void make(String name, String policy) throws IOException, PolicySyntaxException {
        NamedCages.of(folders)
                .create(
                        new NamedCage(
                                name, root.resolve("workspace").toRealPath(), Optional.empty(), List.of(), List.of()),
                        policy);
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    void up(String... names) throws IOException {
        for (String name : names) {
            client.up(new UpOrder(name, List.of(), CallerEnvironment.read()));
        }
    }

    /// What a program in a cage wrote, and its exit code.
    record Wrote(int code, String out, String err) {}

    Wrote exec(String cage, InputStream in, String... words) throws IOException {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        try (var program = client.exec(order(cage, words), new Streams.Pipes(in, out, err))) {
            var started = program.started();
            var ends = started instanceof RemoteProgram.Started.Never(Ends never) ? never : program.await();
            return new Wrote(ends.code(), out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }

    static ExecOrder order(String cage, String... words) throws IOException {
        return new ExecOrder(
                cage,
                Arrays.stream(words).map(ByteString::of).toList(),
                CallerEnvironment.read(),
                Optional.empty(),
                Presence.PROGRAM);
    }

    static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
            LockSupport.parkNanos(5_000_000);
        }
    }

    SocketChannel connected() throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(client.address()));
        return channel;
    }
}
