package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.mcp.McpSection;
import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.supervisor.policyfile.yaml.Problems;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.policyfile.yaml.StrictReader;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The published schema, the binder and the records say the same.
class PolicySchemaTest {
    private static final Path PUBLISHED = Path.of("../schemas/policy-v1.json");
    private static final String WRITE = "cagewright.schema.write";

    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(PolicySchema.text(), InputFormat.JSON);

    /// Records of the document that stand in a file as one value.
    private static final Set<Class<?>> SINGLE =
            Set.of(CageName.class, HidePattern.class, Budget.Rate.class, Upstream.Proxy.class, NamePattern.class);

    private static final Set<Package> PACKAGES =
            Set.of(PolicyDocument.class.getPackage(), McpSection.class.getPackage());

    /// What stands below is spelt as it is at the root.
    private static final String SETUP = "phases.setup.";

    /// Components that have other names, or several, in a file.
    private static final Map<String, List<String>> SPELT = Map.ofEntries(
            Map.entry("tool", List.of("tool", "name")),
            Map.entry("origins", List.of()),
            Map.entry("fs", List.of("fs", "fs.protect")),
            Map.entry("net.hosts.target", List.of("net.hosts.host", "net.hosts.alias")),
            Map.entry("net.hosts.ports", List.of("net.hosts.port", "net.hosts.ports")),
            Map.entry("net.may_grant.ports", List.of("net.may_grant.port", "net.may_grant.ports")),
            Map.entry("net.may_grant.time", List.of("net.may_grant.for")),
            Map.entry("net.hosts.inspection", List.of("net.hosts.inspect")),
            Map.entry("net.upstream", List.of()),
            Map.entry("net.upstream.proxy", List.of("net.upstream_proxy")),
            Map.entry("net.upstream.ca", List.of("net.upstream_ca")),
            Map.entry("mcp.tools.answer", List.of("mcp.tools.approve", "mcp.tools.deny")),
            Map.entry("inspect.body_max", List.of("inspect.body", "inspect.body.max")));

    @Test
    void the_published_schema_is_the_one_that_the_binder_follows() throws IOException {
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PUBLISHED, PolicySchema.text());
        }
        assertThat(Files.readString(PUBLISHED))
                .as("schemas/policy-v1.json is old; write it anew with: mvn -pl supervisor -am test"
                        + " -Dtest=PolicySchemaTest -Dsurefire.failIfNoSpecifiedTests=false -D" + WRITE + "=true")
                .isEqualTo(PolicySchema.text());
    }

    @Test
    void every_component_of_the_records_is_a_key_of_the_schema_and_the_other_way_round() {
        var fromRecords = new HashSet<String>();
        components(PolicyDocument.class, "", fromRecords);
        fromRecords.removeIf(name -> name.startsWith(SETUP + "net.may_grant")); // nothing is granted then
        fromRecords.remove(SETUP + "net.publish");
        var fromSchema = new HashSet<String>();
        properties(JsonMapper.builder().build().readTree(PolicySchema.text()), "", fromSchema);

        assertThat(fromRecords).hasSizeGreaterThan(50);
        assertThat(withoutActions(fromSchema)).isEqualTo(withoutActions(fromRecords));
    }

    private static void components(Class<?> type, String prefix, Set<String> found) {
        for (var component : type.getRecordComponents()) {
            var name = prefix + component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            var setup = name.startsWith(SETUP) ? SETUP : "";
            var spelt = name.substring(setup.length());
            SPELT.getOrDefault(spelt, List.of(spelt)).forEach(key -> found.add(setup + key));
            var inner = innermost(component.getGenericType());
            if (inner.isRecord() && PACKAGES.contains(inner.getPackage()) && !SINGLE.contains(inner)) {
                components(inner, name + ".", found);
            }
        }
    }

    /// `T` of an `Optional<List<T>>`; of a map the value's type.
    private static Class<?> innermost(Type type) {
        return type instanceof ParameterizedType generic
                ? innermost(generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1])
                : (Class<?>) type;
    }

    private static void properties(JsonNode schema, String prefix, Set<String> found) {
        schema.path("properties").propertyStream().forEach(property -> {
            found.add(prefix + property.getKey());
            properties(property.getValue(), prefix + property.getKey() + ".", found);
        });
        if (schema.has("items")) {
            properties(schema.path("items"), prefix, found);
        }
        schema.path("anyOf").forEach(choice -> properties(choice, prefix, found));
    }

    /// An action is a value of a record and a key of a file: `require_for: [{http.request: {...}}]`.
    private static Set<String> withoutActions(Set<String> names) {
        var without = new HashSet<String>();
        for (var name : names) {
            without.add(
                    name.startsWith("origins.")
                            ? ""
                            : name.replaceFirst(
                                            "^(approval[.]require_for)[.][a-z]+[.](request|connect|lookup|exec|read|write|use|call)",
                                            "$1")
                                    .replace("approval.require_for.action", "approval.require_for"));
        }
        without.remove("");
        return without;
    }

    private static List<String> problems(String yaml) {
        var problems = new Problems("t");
        var json = SourceText.decode(yaml.getBytes(StandardCharsets.UTF_8), problems)
                .flatMap(text -> StrictReader.read(text, problems))
                .map(FlowText.JSON::of)
                .orElseThrow();
        assertThat(problems.isEmpty()).isTrue();
        return SCHEMA.validate(json, InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }

    static List<Path> examples() throws IOException {
        return ExamplesTest.examples();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void each_example_is_valid_by_the_schema_too(Path example) throws IOException {
        assertThat(problems(Files.readString(example))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "name: x",
                "tool: x\nfs: {mounts: []}",
                "net: {hosts: [{host: a.test, port: [80, 443], budget: {requests: 5}}]}",
                "net: {aliases: {a-b: c.test}}",
                "net: {may_grant: [{hosts: '*.a.test', methods: [GET], paths: [/v1/**], port: 443, for: 30m}]}",
                "net: {may_grant: []}",
                "credentials: [{name: a, use_with: b, in: body}]",
                "approval: {require_for: [{proc.exec: {}}, {secret.use: {names: [a_b]}}]}",
                "resources: {cpus: 0.5, files: 1}",
                "exec: {allowlist: [/usr/bin/git, git, '[']}",
                "mcp: {}",
                "mcp: {tools: [read_file, 'get_*', '*', {tool: x, arguments: {type: object}, paths: {a: read}}]}",
                "mcp: {tools: [{tool: x, hosts: [url, /a/*/b], approve: true}, {tool: y, deny: true}]}",
                "mcp: {results: {max: 1MiB, hidden: flag, credentials: block}, requests: {sampling: allow}}",
                "approval: {require_for: [{mcp.call: {names: ['send_*']}}]}",
                "command: ['', \"a\\nb\"]"
            })
    void what_the_binder_takes_the_schema_takes(String yaml) throws Exception {
        PolicyText.parse("t", yaml.getBytes(StandardCharsets.UTF_8));

        assertThat(problems(yaml)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "text",
                "tol: x",
                "tool: x\nname: x",
                "tool: 12",
                "tool: ''",
                "tool: a b",
                "mode: enforced",
                "min_isolation: tier3",
                "command: []",
                "mcp: []",
                "mcp: {tool: []}",
                "mcp: {tools: read_file}",
                "mcp: {tools: ['a*b*']}",
                "mcp: {tools: [{server: x}]}",
                "mcp: {tools: [{tool: x, paths: {a: reed}}]}",
                "mcp: {results: {hidden: strip}}",
                "mcp: {requests: {sampling: true}}",
                "command: npm",
                "command: [1]",
                "fs: {mounts: {}}",
                "fs: {mounts: [{mode: rw}]}",
                "fs: {mounts: [{path: workspace}]}",
                "fs: {mounts: [{path: /w, mode: rwx}]}",
                "fs: {mounts: [{path: /w, source: relative}]}",
                "fs: {protect: none}",
                "fs: {hide: ['*.pem']}",
                "net: {hosts: [a.test]}",
                "net: {hosts: [{host: a.test, alias: a}]}",
                "net: {hosts: [{methods: [GET]}]}",
                "net: {hosts: [{host: a.test, port: 0}]}",
                "net: {hosts: [{host: a.test, port: 65536}]}",
                "net: {hosts: [{host: a.test, port: '80'}]}",
                "net: {hosts: [{host: a.test, inspect: 'no'}]}",
                "net: {hosts: [{host: a.test, methods: GET}]}",
                "net: {hosts: [{host: a.test, methods: ['GET POST']}]}",
                "net: {hosts: [{host: a.test, budget: {requests: 5/week}}]}",
                "net: {hosts: [{host: a.test, budget: {sent: 5MB}}]}",
                "net: {aliases: {A: c.test}}",
                "credentials: [{name: a}]",
                "credentials: [{name: a, use_with: [b], in: cookie}]",
                "exec: {allowlist: ['rm -rf']}",
                "exec: {allowlist: null}",
                "approval: {require_for: [{}]}",
                "approval: {require_for: [{proc.exec: {hosts: [a]}}]}",
                "approval: {require_for: [{proc.exec: {}, fs.read: {}}]}",
                "approval: {timeout: 5 minutes}",
                "resources: {memory: 2G}",
                "resources: {cpus: 0}",
                "resources: {processes: 1.5}",
                "inspect: {entropy: {above: 9, from: 256, then: flag}}",
                "inspect: {entropy: {above: 7.2}}",
                "capture: {har: 'yes'}"
            })
    void what_the_schema_refuses_the_binder_refuses(String yaml) {
        assertThat(problems(yaml)).isNotEmpty();
        assertThat(refused(yaml)).isTrue();
    }

    private static boolean refused(String yaml) {
        try {
            PolicyText.parse("t", yaml.getBytes(StandardCharsets.UTF_8));
            return false;
        } catch (PolicySyntaxException _) {
            return true;
        }
    }

    @Test
    void the_schema_is_the_same_text_every_time_and_valid_json() {
        assertThat(PolicySchema.text()).isEqualTo(PolicySchema.text()).endsWith("}\n");
        assertThat(new ArrayList<>(JsonMapper.builder()
                        .build()
                        .readTree(PolicySchema.text())
                        .propertyNames()))
                .startsWith("$schema", "$id", "title");
    }
}
