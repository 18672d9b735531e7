package dev.cagewright.supervisor.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TighteningTest {
    private static final Action A = request("a.test");
    private static final Action B = request("b.test");
    private static final Action C = request("c.test");

    @TempDir
    private Path folder;

    private static Action request(String host) {
        return new Action.HttpRequest("GET", new HostName(host), 443, "/");
    }

    private EffectivePolicy policy(String text) throws Exception {
        var file = Files.writeString(folder.resolve("p.yaml"), text);
        var document = PolicyFiles.load(file).document();
        return EffectivePolicy.of(List.of(new Layer(Layer.Rank.PROJECT, document)), Map.of());
    }

    @Test
    void B021_what_the_files_say_later_takes_away_and_never_adds() throws Exception {
        var start = policy("net: {hosts: [{host: a.test}, {host: b.test}]}");
        var tightening = new Tightening();
        var judge = tightening.over(start.judges()).getFirst();
        assertThat(judge.judge(A)).isInstanceOf(Decision.Allow.class);

        tightening.became(policy("net: {hosts: [{host: b.test}, {host: c.test}]}"));
        assertThat(judge.judge(A))
                .isInstanceOfSatisfying(
                        Decision.Deny.class,
                        deny -> assertThat(deny.detail())
                                .isEqualTo("the policy was changed meanwhile: no rule of net.hosts names this host"));
        assertThat(judge.judge(B)).isEqualTo(start.judge(B));
        assertThat(judge.judge(C)).isEqualTo(start.judge(C)).isInstanceOf(Decision.Deny.class);

        tightening.became(start);
        assertThat(judge.judge(A)).isEqualTo(start.judge(A));
    }

    @Test
    void what_is_not_of_the_network_is_judged_as_at_the_start() throws Exception {
        var start = policy("fs: {mounts: [{path: /workspace, mode: rw}]}\nnet: {hosts: [{host: a.test}]}");
        var tightening = new Tightening();
        var judge = tightening.over(start.judges()).getFirst();
        tightening.became(policy("tool: closed"));
        var write = new Action.FsWrite(new GuestPath("/workspace/x"));
        assertThat(judge.judge(write)).isEqualTo(start.judge(write)).isInstanceOf(Decision.Allow.class);
        assertThat(judge.judge(A)).isInstanceOf(Decision.Deny.class);
    }
}
