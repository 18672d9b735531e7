package dev.cagewright.supervisor.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Message;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Inspectors of a policy that is changed while a run lives.
class InspectorsTest {
    private static final String TOKEN = "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";
    private static final String ODD = "a1b2c3d4e5f6g7h8i9j0k1l2m3n4.a.test";

    @TempDir
    private Path folder;

    private EffectivePolicy policy(Layer.Rank rank, String text) throws Exception {
        var file = Files.writeString(folder.resolve("p.yaml"), text);
        return EffectivePolicy.of(List.of(new Layer(rank, PolicyFiles.load(file).document())), Map.of());
    }

    private EffectivePolicy policy(String text) throws Exception {
        return policy(Layer.Rank.PROJECT, text);
    }

    private static Inspectors of(EffectivePolicy policy) throws Exception {
        return Inspectors.of(new NetTerms(policy, _ -> List.of(), new Unchanged(), Set.of()));
    }

    /// Files that nobody changes.
    private static final class Unchanged implements NetTerms.Renewal {
        @Override
        public List<Path> files() {
            return List.of();
        }

        @Override
        public boolean isAsRead() {
            return true;
        }

        @Override
        public EffectivePolicy read() throws IOException {
            throw new IOException("there is no file");
        }
    }

    private static List<String> found(Inspectors inspectors) {
        var message = new Message(Message.Direction.REQUEST, "POST", "a.test", 443, "/", List.of());
        var bytes = TOKEN.getBytes(StandardCharsets.US_ASCII);
        try (var examination = inspectors.get().examine(message)) {
            var findings = new ArrayList<>(examination.next(bytes, 0, bytes.length));
            findings.addAll(examination.end());
            return findings.stream().map(InspectorsTest::text).toList();
        }
    }

    private static String text(Finding finding) {
        return finding.severity() + " " + finding.kind();
    }

    @Test
    void what_is_stricter_later_holds_and_what_is_milder_does_not() throws Exception {
        var inspectors = of(policy("inspect: {secrets: flag}"));
        assertThat(found(inspectors)).containsExactly("FLAG secrets.github_token");
        inspectors.became(inspectors.with(policy("inspect: {secrets: block}")));
        assertThat(found(inspectors)).containsExactly("BLOCK secrets.github_token");
        inspectors.became(inspectors.with(policy("inspect: {secrets: off}")));
        assertThat(found(inspectors)).containsExactly("FLAG secrets.github_token");
    }

    @Test
    void inspectors_that_come_later_look_from_then_on() throws Exception {
        var inspectors = of(policy("inspect: {secrets: off}"));
        assertThat(found(inspectors)).isEmpty();
        inspectors.became(inspectors.with(policy("inspect: {secrets: block}")));
        assertThat(found(inspectors)).containsExactly("BLOCK secrets.github_token");
    }

    @Test
    void a_name_is_as_it_likes_only_while_both_spell_it_out() throws Exception {
        var spelt = "inspect: {dns: block}\nnet: {hosts: [{host: " + ODD + "}]}";
        var inspectors = of(policy(spelt));
        var name = new HostName(ODD);
        assertThat(inspectors.get().name(name)).isEmpty();
        inspectors.became(inspectors.with(policy("inspect: {dns: block}\nnet: {hosts: [{host: '*.a.test'}]}")));
        assertThat(inspectors.get().name(name)).isPresent();
        inspectors.became(inspectors.with(policy(spelt)));
        assertThat(inspectors.get().name(name)).isEmpty();
    }

    @Test
    void a_jar_that_cannot_be_used_changes_nothing() throws Exception {
        var inspectors = of(policy("inspect: {secrets: flag}"));
        var missing = "inspect: {custom: [" + folder.resolve("none.jar") + "], secrets: block}";
        assertThatThrownBy(() -> inspectors.with(policy(Layer.Rank.USER, missing)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.jar");
        assertThat(found(inspectors)).containsExactly("FLAG secrets.github_token");
    }
}
