package dev.cagewright.supervisor.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Repositories of the host, its git, and real cages in which the real git runs.
///
/// @param folder of one test
record GitCage(Path folder) {
    private static final String PROGRAM = """
            import subprocess, sys
            sys.exit(subprocess.call(["sh", "-c", sys.stdin.read()], stderr=subprocess.STDOUT))
            """;

    /// What was said in a cage, and how it ended.
    record Said(RunOutcome.Ended outcome, String text) {
        List<String> afterwards() {
            return outcome.afterwards();
        }
    }

    private static final class Bystander implements RunWatcher {
        @Override
        public void starting(Warrant warrant, List<String> notices) {}

        @Override
        public Watch started(Run run) {
            return () -> {};
        }
    }

    /// A repository with one commit.
    Path repository(String name) throws IOException, InterruptedException {
        var made = Files.createDirectory(folder.resolve(name)).toRealPath();
        git(made, "init", "-q", "-b", "main");
        git(made, "config", "user.name", "Person");
        git(made, "config", "user.email", "person@example.com");
        Files.writeString(made.resolve("file"), "one\n");
        git(made, "add", "file");
        git(made, "commit", "-q", "-m", "first");
        return made;
    }

    /// The host's git, without anybody's configuration.
    String git(Path where, String... arguments) throws IOException, InterruptedException {
        var argv = new ArrayList<>(List.of("git", "-C", where.toString()));
        argv.addAll(List.of(arguments));
        var out = Files.createTempFile(folder, "git", ".out");
        var builder = new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().putAll(Map.of("GIT_CONFIG_NOSYSTEM", "1", "HOME", folder.toString()));
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_") && !name.equals("GIT_CONFIG_NOSYSTEM"));
        int exit = builder.start().waitFor();
        var said = Files.readString(out);
        assertThat(exit).as("git %s: %s", List.of(arguments), said).isZero();
        return said;
    }

    Path state() {
        return folder.resolve("state");
    }

    /// The folder of the only session.
    Path session() {
        return state().resolve("s");
    }

    /// Runs a shell script in a cage at `workspace`.
    Said run(Path workspace, String policy, String script) throws Exception {
        var outcome = outcome(workspace, policy, script);
        assertThat(outcome.outcome).as(outcome.text).isInstanceOf(RunOutcome.Ended.class);
        return new Said((RunOutcome.Ended) outcome.outcome, outcome.text);
    }

    /// What came of it, whatever that is.
    ///
    /// @param text what the program wrote
    record Any(RunOutcome outcome, String text) {}

    /// The same for a cage that there may not be.
    Any outcome(Path workspace, String policy, String script) throws Exception {
        Files.writeString(workspace.resolve("run.py"), PROGRAM);
        Files.createDirectories(session());
        var folders = new StateFolders(folder.resolve("config"), state());
        var place = new Session.Place(session(), new OwnFiles(folders, folder.resolve("audit.jsonl"), List.of()));
        var out = new ByteArrayOutputStream();
        try (var session =
                Session.open(new SessionId("abcdefghij"), terms(policy), place, (_, _) -> JsonObject.EMPTY)) {
            var request = new RunRequest(
                    List.of(ByteString.of("/usr/bin/python3"), ByteString.of("run.py")),
                    ByteString.of(workspace.toString()),
                    Map.of(ByteString.of("HOME"), ByteString.of(folder.toString())),
                    new Streams.Pipes(input(script), out, out));
            var warrant = session.gate().pass(session.programOf(request));
            var outcome = session.run(warrant, request, NamespacesRuntime::start, new Bystander());
            return new Any(outcome, out.toString(StandardCharsets.UTF_8));
        }
    }

    private CageTerms terms(String text) throws Exception {
        var file = Files.writeString(folder.resolve("policy.yaml"), text);
        var none = folder.resolve("none");
        var layers = new PolicyFiles(none, none, none).layersOver(Optional.of(PolicyFiles.load(file)));
        return PolicyInForce.of(layers, IsolationWish.CAGE).terms();
    }

    private static InputStream input(String script) {
        return new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8));
    }
}
