package dev.cagewright.escape.stage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `cagewright run` as a person types it, with two descriptors left open by mistake: a secret file and the folder
/// beside the workspace.
///
/// @param options more words before `--`
/// @param extra variables of the caller besides the stage's
public record CageRun(
        Stage stage, Path policy, Path workspace, Path audit, List<String> options, Map<String, String> extra) {
    private static final String LEAK = "exec 9<\"$1\" 8<\"$2\"; shift 2; exec \"$@\"";

    static CageRun of(Stage stage, Path policy) {
        return new CageRun(stage, policy, stage.workspace().root(), stage.audit(), List.of(), Map.of());
    }

    public CageRun in(Path changed) {
        return new CageRun(stage, policy, changed, audit, options, extra);
    }

    public CageRun by(Path changed) {
        return new CageRun(stage, changed, workspace, audit, options, extra);
    }

    public CageRun recordedIn(Path changed) {
        return new CageRun(stage, policy, workspace, changed, options, extra);
    }

    public CageRun with(String... words) {
        return new CageRun(stage, policy, workspace, audit, List.of(words), extra);
    }

    public CageRun knowing(Map<String, String> variables) {
        return new CageRun(stage, policy, workspace, audit, options, variables);
    }

    /// Starts it; the workspace is the working directory.
    public Command start(String... argv) throws IOException {
        var environment = new LinkedHashMap<>(stage.environment());
        environment.putAll(extra);
        return Command.start(stage.person().does(words(argv)), workspace, environment);
    }

    /// Runs it to its end.
    public Command.Result run(String... argv) throws IOException, InterruptedException {
        try (var command = start(argv)) {
            return command.await();
        }
    }

    /// Runs a twin or all twins of the probe program in the cage.
    public Command.Result probe(String twins, String id) throws IOException, InterruptedException {
        var argv = new ArrayList<>(List.of(stage.probe().toString(), "run", twins, id));
        argv.addAll(stage.facts("1", "no"));
        return run(argv.toArray(String[]::new));
    }

    private List<String> words(String... argv) {
        var beside = stage.base().resolve("beside");
        var words = new ArrayList<>(
                List.of("sh", "-c", LEAK, "sh", beside.resolve("secret.txt").toString()));
        words.addAll(List.of(beside.toString(), stage.product().command().toString(), "run"));
        words.addAll(List.of("--policy", policy.toString(), "--audit", audit.toString()));
        words.addAll(List.of("--workspace", workspace.toString()));
        words.addAll(options);
        words.add("--");
        words.addAll(List.of(argv));
        return words;
    }
}
