package dev.cagewright.policy.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.engine.PolicyDiff;
import dev.cagewright.policy.engine.Remedy;
import dev.cagewright.policy.engine.Terms;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class McpRulesTest {
    private static ToolRule rule(String tool, ToolRule.Answer answer) {
        return new ToolRule(
                NamePattern.parse("tool", tool),
                Optional.empty(),
                answer,
                Optional.empty(),
                new LinkedHashMap<>(),
                List.of());
    }

    private static ToolRule of(String server, String tool) {
        return new ToolRule(
                NamePattern.parse("tool", tool),
                Optional.of(NamePattern.parse("server", server)),
                ToolRule.Answer.ALLOW,
                Optional.empty(),
                new LinkedHashMap<>(),
                List.of());
    }

    private static PolicyDocument document(ToolRule... rules) {
        return PolicyDocument.EMPTY.withMcp(
                new McpSection(Optional.of(List.of(rules)), McpSection.SILENT.results(), McpSection.SILENT.requests()));
    }

    private static Decision judge(PolicyDocument document, String tool) throws BadPolicyException {
        return CompiledPolicy.compile(document).judge(new Action.McpCall("files", tool));
    }

    private static String ruleOf(Decision decision) {
        return decision.because().getFirst().value();
    }

    @Test
    void silence_about_tools_is_denial_with_the_line_that_would_allow_one() throws BadPolicyException {
        var action = new Action.McpCall("files", "read_file");
        var explained = CompiledPolicy.compile(PolicyDocument.EMPTY).explain(action);

        assertThat(explained.decision())
                .isEqualTo(new Decision.Deny(
                        explained.decision().because(), DenyCode.NO_RULE, "no entry of mcp.tools names the tool"));
        assertThat(ruleOf(explained.decision())).isEqualTo("default:deny");
        assertThat(explained.remedy().map(Remedy::yaml))
                .contains("mcp:\n  tools:\n    - {tool: read_file, server: files}");
    }

    @Test
    void a_named_tool_may_be_called_and_its_neighbour_may_not() throws BadPolicyException {
        var document = document(rule("read_file", ToolRule.Answer.ALLOW));

        assertThat(judge(document, "read_file")).isInstanceOf(Decision.Allow.class);
        for (String other : List.of("read_files", "read_fil", "Read_file", "read_file ", "write_file", "*", "")) {
            assertThat(judge(document, other)).as(other).isInstanceOf(Decision.Deny.class);
        }
    }

    @Test
    void learning_lets_through_what_no_entry_names_and_nothing_else() throws BadPolicyException {
        var document = document(rule("delete_*", ToolRule.Answer.DENY), rule("send", ToolRule.Answer.ASK))
                .observing();

        assertThat(judge(document, "read_file")).isEqualTo(new Decision.Allow(McpRules.LEARNING));
        assertThat(judge(document, "delete_it")).isInstanceOf(Decision.Deny.class);
        assertThat(judge(document, "send")).isInstanceOf(Decision.Ask.class);
        assertThat(judge(PolicyDocument.EMPTY.observing(), "any")).isEqualTo(new Decision.Allow(McpRules.LEARNING));
        assertThat(judge(document(rule("*", ToolRule.Answer.DENY)).observing(), "any"))
                .isInstanceOf(Decision.Deny.class);
    }

    @Test
    void a_full_list_has_no_place_to_learn() throws BadPolicyException {
        var full = new ToolRule[McpSection.MOST_TOOLS];
        Arrays.fill(full, rule("named", ToolRule.Answer.ALLOW));

        assertThat(judge(document(full).observing(), "other")).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void the_most_specific_entry_settles_whatever_the_order() throws BadPolicyException {
        var rules = new ArrayList<>(List.of(
                rule("*", ToolRule.Answer.ALLOW),
                rule("delete_*", ToolRule.Answer.DENY),
                rule("delete_draft", ToolRule.Answer.ASK),
                rule("delete_*_now", ToolRule.Answer.ASK),
                rule("*_now", ToolRule.Answer.DENY)));
        for (int turn = 0; turn < rules.size(); turn++) {
            var document = document(rules.toArray(ToolRule[]::new));

            assertThat(judge(document, "get_time")).isInstanceOf(Decision.Allow.class);
            assertThat(judge(document, "delete_all")).isInstanceOf(Decision.Deny.class);
            assertThat(judge(document, "delete_draft")).isInstanceOf(Decision.Ask.class);
            assertThat(judge(document, "delete_all_now")).isInstanceOf(Decision.Ask.class);
            assertThat(judge(document, "go_now")).isInstanceOf(Decision.Deny.class);
            rules.add(rules.removeFirst());
        }
    }

    @Test
    void an_entry_for_one_server_says_nothing_of_another_ones_tool() throws BadPolicyException {
        var policy = CompiledPolicy.compile(document(of("files", "read"), of("mail-*", "send")));

        assertThat(policy.judge(new Action.McpCall("files", "read"))).isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(new Action.McpCall("file", "read"))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(new Action.McpCall("mail-work", "send"))).isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(new Action.McpCall("files", "send"))).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void many_entries_answer_as_each_by_itself_would() throws BadPolicyException {
        var random = RandomGenerator.of("L64X128MixRandom");
        for (int round = 0; round < 200; round++) {
            var rules = new ArrayList<ToolRule>();
            for (int i = 0; i < 12; i++) {
                rules.add(
                        rule(word(random, "ab*"), random.nextBoolean() ? ToolRule.Answer.ALLOW : ToolRule.Answer.DENY));
            }
            var document = document(rules.toArray(ToolRule[]::new));
            var name = word(random, "ab");
            var expected = rules.stream()
                    .filter(rule -> rule.tool().matches(name))
                    .min((one, other) -> NamePattern.MOST_SPECIFIC.compare(one.tool(), other.tool()))
                    .map(ToolRule::answer)
                    .orElse(ToolRule.Answer.DENY);

            assertThat(judge(document, name) instanceof Decision.Allow)
                    .as("%s by %s", name, rules)
                    .isEqualTo(expected == ToolRule.Answer.ALLOW);
        }
    }

    private static String word(RandomGenerator random, String alphabet) {
        var word = new StringBuilder();
        int length = random.nextInt(1, 6);
        for (int i = 0; i < length; i++) {
            char c = alphabet.charAt(random.nextInt(alphabet.length()));
            word.append(c == '*' && word.indexOf("*") >= 0 ? 'a' : c);
        }
        return word.toString();
    }

    @Test
    void names_that_cannot_be_seen_or_have_two_stars_are_refused() {
        for (String bad : List.of("", " a", "a ", "a\u200b", "a\nb", "**", "a*b*c", "x".repeat(257))) {
            assertThatThrownBy(() -> NamePattern.parse("mcp.tools[0]", bad))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("mcp.tools[0]: ")
                    .hasMessageContaining("with one * at most, such as read_file or get_*");
        }
        assertThat(NamePattern.parse("tool", "日本語*").matches("日本語_x")).isTrue();
    }

    @Test
    void every_layer_that_speaks_of_tools_has_to_allow_a_call() throws BadPolicyException {
        var user = new Layer(Layer.Rank.USER, document(rule("get_*", ToolRule.Answer.ALLOW)));
        var project = new Layer(Layer.Rank.PROJECT, document(rule("*", ToolRule.Answer.ALLOW)));
        var silent = new Layer(Layer.Rank.USER, PolicyDocument.EMPTY);

        var narrowed = EffectivePolicy.of(List.of(user, project), Map.of());
        assertThat(narrowed.judge(new Action.McpCall("s", "get_x"))).isInstanceOf(Decision.Allow.class);
        assertThat(narrowed.judge(new Action.McpCall("s", "put_x"))).isInstanceOf(Decision.Deny.class);
        var alone = EffectivePolicy.of(List.of(silent, project), Map.of());
        assertThat(alone.judge(new Action.McpCall("s", "put_x"))).isInstanceOf(Decision.Allow.class);
        var nobody = EffectivePolicy.of(List.of(silent), Map.of());
        assertThat(nobody.judge(new Action.McpCall("s", "put_x"))).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void terms_of_layers_are_those_of_the_strictest() {
        var mild = new ResultTerms(
                Optional.empty(), Optional.of(ResultTerms.Hidden.FLAG), Optional.of(ResultTerms.Credentials.BLOCK));
        var strict = new ResultTerms(
                Optional.empty(), Optional.of(ResultTerms.Hidden.BLOCK), Optional.of(ResultTerms.Credentials.FLAG));

        assertThat(mild.and(strict).towardsHidden()).isEqualTo(ResultTerms.Hidden.BLOCK);
        assertThat(mild.and(strict).towardsCredentials()).isEqualTo(ResultTerms.Credentials.BLOCK);
        assertThat(McpSection.SILENT.results().towardsHidden()).isEqualTo(ResultTerms.Hidden.REMOVE);
        var allowing = new RequestTerms(Optional.of(RequestTerms.Permission.ALLOW), Optional.empty(), Optional.empty());
        var denying = new RequestTerms(Optional.of(RequestTerms.Permission.DENY), Optional.empty(), Optional.empty());
        assertThat(allowing.allowsSampling()).isTrue();
        assertThat(allowing.and(denying).allowsSampling()).isFalse();
        assertThat(allowing.allowsElicitation()).isFalse();
    }

    @Test
    void a_difference_names_what_is_newly_allowed_and_what_is_no_longer_asked() throws BadPolicyException {
        var before = document(rule("get_*", ToolRule.Answer.ALLOW), rule("send", ToolRule.Answer.ASK));
        var after = document(rule("get_*", ToolRule.Answer.ALLOW), rule("send", ToolRule.Answer.ALLOW));

        assertThat(PolicyDiff.between(before, after, Terms.ALONE).stream().map(Object::toString))
                .containsExactly(
                        "+ mcp.tools: send",
                        "+ mcp.tools: more of: send, if a person agrees",
                        "- mcp.tools: send, if a person agrees");
        assertThat(PolicyDiff.between(after, after, Terms.ALONE)).isEmpty();
    }

    @Test
    void a_call_that_needs_approval_is_a_question_with_the_policys_patience() throws BadPolicyException {
        var decision = judge(document(rule("send", ToolRule.Answer.ASK)), "send");

        assertThat(decision).isEqualTo(new Decision.Ask(decision.because(), Duration.ofMinutes(5)));
        assertThat(ruleOf(decision)).isEqualTo("mcp.tools[0]");
    }
}
