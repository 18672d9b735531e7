package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.mcp.McpSection;
import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.policy.mcp.RequestTerms;
import dev.cagewright.policy.mcp.RequestTerms.Permission;
import dev.cagewright.policy.mcp.ResultTerms;
import dev.cagewright.policy.mcp.ToolRule;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.supervisor.policyfile.shape.Group;
import dev.cagewright.supervisor.policyfile.shape.GroupKey;
import dev.cagewright.supervisor.policyfile.shape.GroupValues;
import dev.cagewright.supervisor.policyfile.shape.JsonShape;
import dev.cagewright.supervisor.policyfile.shape.Keywords;
import dev.cagewright.supervisor.policyfile.shape.ListShape;
import dev.cagewright.supervisor.policyfile.shape.Nearest;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import dev.cagewright.supervisor.policyfile.shape.WordMap;
import dev.cagewright.supervisor.policyfile.shape.WordOrGroup;
import dev.cagewright.supervisor.schema.BadSchemaException;
import dev.cagewright.supervisor.schema.JsonSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The keys of `mcp`: what may be had of servers of the Model Context Protocol.
final class McpShape {
    private static final ScalarShape<NamePattern> NAME =
            ScalarShape.text("a name such as read_file or get_*", "^[^*]*\\*?[^*]*$", NamePattern::parse);

    private static final GroupKey<NamePattern> TOOL =
            GroupKey.required("tool", NAME, "The tool's name as its server says it; one * stands for any characters.");
    private static final GroupKey<NamePattern> SERVER =
            GroupKey.optional("server", NAME, "Whose tool it is; absent means any server's.");
    private static final GroupKey<String> ARGUMENTS = GroupKey.optional(
            "arguments",
            new JsonShape<>("a JSON Schema", Keywords.of("type", List.of("object", "boolean")), value -> {
                try {
                    JsonSchema.of(value, JsonSchema.Reading.STRICT);
                    return value.write();
                } catch (BadSchemaException e) {
                    throw new JsonShape.UnfitException(
                            e.pointer(),
                            String.valueOf(e.getMessage()),
                            e.unknownKeyword()
                                    .map(name -> Nearest.hint(name, JsonSchema.keywords()))
                                    .orElse(""));
                }
            }),
            "The JSON Schema that arguments have to fit.");
    private static final ScalarShape<String> ARGUMENT =
            ScalarShape.text("an argument's name or a JSON pointer", "^.+$", ToolRule::argument);
    private static final GroupKey<Map<String, ToolRule.Access>> PATHS = GroupKey.optional(
            "paths",
            new WordMap<>(
                    "a mapping from arguments to read, write or both",
                    ARGUMENT,
                    ScalarShape.word(List.of("read", "write", "both"), ToolRule.Access::parse)),
            "Arguments that are paths, judged as fs.read and fs.write are.");
    private static final GroupKey<List<String>> HOSTS = GroupKey.optional(
            "hosts",
            new ListShape<>("a list of arguments", ARGUMENT),
            "Arguments that are URLs or hosts, judged as http.request and net.connect are.");
    private static final GroupKey<ToolRule.Answer> APPROVE = GroupKey.optional(
            "approve",
            ScalarShape.flag(ToolRule.Answer.ASK, ToolRule.Answer.ALLOW),
            "true: a person has to agree to each call.");
    private static final GroupKey<ToolRule.Answer> DENY = GroupKey.optional(
            "deny",
            ScalarShape.flag(ToolRule.Answer.DENY, ToolRule.Answer.ALLOW),
            "true: no call at all, whatever a less specific entry says.");

    private static final WordOrGroup<NamePattern, ToolRule> ENTRY = new WordOrGroup<>(
            NAME,
            ToolRule::of,
            Group.of(
                    "a mapping with tool",
                    List.of(TOOL, SERVER, ARGUMENTS, PATHS, HOSTS, APPROVE, DENY),
                    McpShape::rule));

    private static final GroupKey<List<ToolRule>> TOOLS = GroupKey.optional(
            "tools",
            new ListShape<>("a list of tools", ENTRY),
            "The tools that may be called; the most specific entry settles.");

    private static final GroupKey<ByteSize> MAX = GroupKey.optional(
            "max", Quantities.SIZE, "The most that one result may be, base64 counted as what it stands for.");
    private static final GroupKey<ResultTerms.Hidden> HIDDEN = GroupKey.optional(
            "hidden",
            ScalarShape.word(List.of("flag", "remove", "block"), ResultTerms.Hidden::parse),
            "What becomes of characters that a person does not see and a model reads.");
    private static final GroupKey<ResultTerms.Credentials> CREDENTIALS = GroupKey.optional(
            "credentials",
            ScalarShape.word(List.of("flag", "redact", "block"), ResultTerms.Credentials::parse),
            "What becomes of what is written like a credential.");
    private static final GroupKey<ResultTerms> RESULTS = GroupKey.optional(
            "results",
            Group.of(
                    "a mapping with max, hidden or credentials",
                    List.of(MAX, HIDDEN, CREDENTIALS),
                    values -> new ResultTerms(values.find(MAX), values.find(HIDDEN), values.find(CREDENTIALS))),
            "What becomes of what a server says.");

    private static final ScalarShape<Permission> PERMISSION =
            ScalarShape.word(List.of("allow", "deny"), Permission::parse);
    private static final GroupKey<Permission> SAMPLING =
            GroupKey.optional("sampling", PERMISSION, "Having the client's model write something.");
    private static final GroupKey<Permission> ELICITATION =
            GroupKey.optional("elicitation", PERMISSION, "Asking the person behind the client.");
    private static final GroupKey<Permission> ROOTS =
            GroupKey.optional("roots", PERMISSION, "Being told where the client works.");
    private static final GroupKey<RequestTerms> REQUESTS = GroupKey.optional(
            "requests",
            Group.of(
                    "a mapping with sampling, elicitation or roots",
                    List.of(SAMPLING, ELICITATION, ROOTS),
                    values -> new RequestTerms(values.find(SAMPLING), values.find(ELICITATION), values.find(ROOTS))),
            "What a server may ask of its client; what is not said is denied.");

    static final Group<McpSection> MCP = Group.of(
            "a mapping with tools, results or requests",
            List.of(TOOLS, RESULTS, REQUESTS),
            values -> new McpSection(
                    values.find(TOOLS),
                    values.find(RESULTS).orElse(McpSection.SILENT.results()),
                    values.find(REQUESTS).orElse(McpSection.SILENT.requests())));

    private McpShape() {}

    private static ToolRule rule(GroupValues values) {
        var approve = values.find(APPROVE).orElse(ToolRule.Answer.ALLOW);
        var deny = values.find(DENY).orElse(ToolRule.Answer.ALLOW);
        if (approve == ToolRule.Answer.ASK && deny == ToolRule.Answer.DENY) {
            throw new IllegalArgumentException("approve: true beside deny: true (expected: one of them)");
        }
        return new ToolRule(
                values.get(TOOL),
                values.find(SERVER),
                deny == ToolRule.Answer.DENY ? deny : approve,
                values.find(ARGUMENTS),
                new LinkedHashMap<>(values.find(PATHS).orElse(Map.of())),
                values.find(HOSTS).orElse(List.of()));
    }
}
