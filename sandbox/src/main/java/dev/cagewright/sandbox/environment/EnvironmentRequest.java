package dev.cagewright.sandbox.environment;

import dev.cagewright.policy.action.ByteString;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What one environment is composed from.
///
/// @param caller the variables of whoever started the run
/// @param listed the names of the policy's `exec.env`, as written there
/// @param user the login name shown to the workload; a plain name, otherwise `cage` is shown
/// @param session the id of the session, for `CAGEWRIGHT_SESSION`
/// @param streams what the workload's standard streams are
/// @param path folders of programs in the cage that come before those of every cage
public record EnvironmentRequest(
        Map<ByteString, ByteString> caller,
        List<String> listed,
        String user,
        String session,
        Streams streams,
        List<Path> path) {

    /// What the standard streams of the workload are.
    public enum Streams {
        TERMINAL,
        PIPES
    }

    public EnvironmentRequest {
        caller = Map.copyOf(caller);
        listed = List.copyOf(listed);
        path = List.copyOf(path);
    }

    /// With the programs of every cage alone.
    public EnvironmentRequest(
            Map<ByteString, ByteString> caller, List<String> listed, String user, String session, Streams streams) {
        this(caller, listed, user, session, streams, List.of());
    }
}
