package dev.cagewright.sandbox.conformance;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A program that has run in a cage, with everything it said.
public record Ran(Exit exit, String out, String err) {
    private static final List<ByteString> ENVIRONMENT = List.of(
            ByteString.of("PATH=/usr/local/bin:/usr/bin:/bin"),
            ByteString.of("HOME=/home/cage"),
            ByteString.of("LANG=C.UTF-8"));

    /// Runs a shell script in the cage's workspace and waits for its end.
    public static Ran script(Cage cage, String workspace, String script)
            throws ConfinementException, InterruptedException {
        return program(cage, workspace, "/bin/sh", "-c", script);
    }

    /// Runs a program with no input and waits for its end.
    public static Ran program(Cage cage, String workspace, String... argv)
            throws ConfinementException, InterruptedException {
        return withInput(cage, workspace, new byte[0], argv);
    }

    public static Ran withInput(Cage cage, String workspace, byte[] input, String... argv)
            throws ConfinementException, InterruptedException {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var run = start(cage, workspace, new Streams.Pipes(new ByteArrayInputStream(input), out, err), argv);
        var exit = run.await();
        return new Ran(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    public static Run start(Cage cage, String workspace, Streams streams, String... argv) throws ConfinementException {
        var bytes = new ArrayList<ByteString>();
        Arrays.stream(argv).map(ByteString::of).forEach(bytes::add);
        var warrant = Warrants.exec(bytes, workspace);
        return cage.start(warrant, new Launch(bytes.getFirst(), ENVIRONMENT, streams));
    }
}
