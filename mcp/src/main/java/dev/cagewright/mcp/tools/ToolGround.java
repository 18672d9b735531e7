package dev.cagewright.mcp.tools;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.receipt.issue.CageWitness;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What tools stand on: a session, its policy, and what its cage is made of. Whoever made these closes them.
///
/// @param workspace an absolute path of the host without links: what policies call `/workspace`
/// @param caller the variables of whoever serves
/// @param witness hears of the cage and of each program in it
public record ToolGround(
        Session session,
        PolicyInForce policy,
        ByteString workspace,
        Map<ByteString, ByteString> caller,
        RunSecrets secrets,
        RuntimeSource runtime,
        CageWitness witness) {
    /// The policy's word for the directory that is worked in.
    static final GuestPath WORKSPACE = new GuestPath("/workspace");

    /// How long a program may run whose call does not say.
    private static final Duration USUAL = Duration.ofMinutes(2);

    /// How long any program of a call may run.
    private static final Duration LONGEST = Duration.ofHours(6);

    /// The most of each output of a program that an answer holds, bytes.
    static final int MOST_OUTPUT = 4 << 20;

    public ToolGround {
        caller = Map.copyOf(caller);
    }

    /// A program of which nothing lives on when its call is over.
    RunRequest request(List<ByteString> argv, Streams streams) {
        return new RunRequest(argv, workspace, caller, streams, secrets, List.of(), Launch.Leftovers.DIE);
    }

    /// Where the cage has its workspace.
    GuestPath here() {
        return session.hereOf(request(List.of(), Streams.Pipes.discarding()));
    }

    /// `path` as policies have it: a relative one is the workspace's, and so is one below the workspace's own place.
    ///
    /// @throws IllegalArgumentException if it cannot be a path of a cage
    GuestPath policyPath(String path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("path: \"\" (expected: a file below the workspace)");
        }
        if (!path.startsWith("/")) {
            var below = WORKSPACE.child(path);
            if (!below.isWithin(WORKSPACE)) {
                throw new IllegalArgumentException(
                        "path: \"" + path + "\" leads out of the workspace (expected: a path below it)");
            }
            return below;
        }
        var asked = GuestPath.canonical(path);
        var own = workspace.utf8().map(GuestPath::canonical);
        return own.filter(asked::isWithin)
                .filter(place -> !place.equals(asked))
                .map(place ->
                        WORKSPACE.child(asked.value().substring(place.value().length() + 1)))
                .orElse(asked);
    }

    /// Where a program starts.
    ///
    /// @param directory as a call names it, below the workspace
    GuestPath directory(Optional<String> directory) {
        var here = here();
        if (directory.isEmpty()) {
            return here;
        }
        var asked = directory.get();
        var named = asked.startsWith("/") ? GuestPath.canonical(asked) : here.child(asked);
        var found = named.isWithin(WORKSPACE) && !named.isWithin(here)
                ? here.child(named.value().substring(WORKSPACE.value().length()))
                : named;
        if (!found.isWithin(here)) {
            throw new IllegalArgumentException(
                    "cwd: \"" + asked + "\" is not below the workspace (expected: a directory in it)");
        }
        return found;
    }

    /// How long a program may run.
    ///
    /// @param asked by its call
    Duration patience(Optional<Duration> asked) {
        var most = policy.effective()
                .resources()
                .timeout()
                .map(time -> time.value())
                .orElse(LONGEST);
        return least(asked.orElse(USUAL), most);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /// How much of each output is kept, bytes.
    int mostOutput(int asked) {
        long most = policy.effective()
                .resources()
                .output()
                .map(size -> size.bytes())
                .orElse((long) MOST_OUTPUT);
        return (int) Math.min(Math.min(asked, MOST_OUTPUT), most);
    }
}
