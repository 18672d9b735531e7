package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.credentials.RunSecrets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// One program that somebody wants to run.
///
/// @param argv the program and its arguments, bytes as they came
/// @param workspace an absolute path of the host: the directory that `/workspace` means in the policy
/// @param caller the variables of whoever asks
/// @param streams what the program reads and writes
/// @param secrets what it has of the person's; whoever lent them closes them
/// @param path folders of programs in the cage that come before those of every cage
/// @param leftovers what becomes of what it left running
public record RunRequest(
        List<ByteString> argv,
        ByteString workspace,
        Map<ByteString, ByteString> caller,
        Streams streams,
        RunSecrets secrets,
        List<Path> path,
        Launch.Leftovers leftovers) {
    /// A program that needs no folders of its own.
    public RunRequest(
            List<ByteString> argv,
            ByteString workspace,
            Map<ByteString, ByteString> caller,
            Streams streams,
            RunSecrets secrets) {
        this(argv, workspace, caller, streams, secrets, List.of(), Launch.Leftovers.LIVE_ON);
    }

    /// A program without secrets.
    public RunRequest(
            List<ByteString> argv, ByteString workspace, Map<ByteString, ByteString> caller, Streams streams) {
        this(argv, workspace, caller, streams, RunSecrets.NONE);
    }

    public RunRequest {
        argv = List.copyOf(argv);
        caller = Map.copyOf(caller);
        path = List.copyOf(path);
        if (workspace.size() == 0 || workspace.at(0) != '/') {
            throw new IllegalArgumentException("workspace: " + workspace + " (expected: absolute)");
        }
    }
}
