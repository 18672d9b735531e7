package dev.cagewright.mcp.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.UnavailableLogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// As many calls as may be under way, each client calling again as soon as it has its answer.
class CallsAtOnceTest {
    private static final int EACH = 20;

    @TempDir
    private Path folder;

    @Test
    void whoever_has_an_answer_may_call_again()
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException,
                    InterruptedException, ExecutionException {
        var workspace = Files.createDirectory(folder.toRealPath().resolve("workspace"));
        Files.writeString(workspace.resolve("note"), "hello");
        try (var bench = ToolBench.open(
                        folder,
                        workspace,
                        "tool: t\nfs: {mounts: [{path: /workspace, mode: rw}]}\nnet: {mode: none}\n");
                var clients = Executors.newFixedThreadPool(ToolsOffer.MOST_CALLS)) {
            Callable<List<JsonObject>> client = () -> {
                var answers = new ArrayList<JsonObject>();
                for (int i = 0; i < EACH; i++) {
                    answers.add(bench.call("read_file", "{\"path\": \"note\"}"));
                }
                return answers;
            };
            var all = new ArrayList<Callable<List<JsonObject>>>();
            for (int i = 0; i < ToolsOffer.MOST_CALLS; i++) {
                all.add(client);
            }
            for (var done : clients.invokeAll(all)) {
                assertThat(done.get())
                        .hasSize(EACH)
                        .allSatisfy(answer -> assertThat(answer.write()).contains("\"content\":\"hello\""));
            }
        }
    }
}
