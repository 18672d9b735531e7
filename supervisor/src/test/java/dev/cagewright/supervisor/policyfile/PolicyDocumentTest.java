package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.policyfile.yaml.StrictReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `docs/policy.md` speaks of every key that a policy file can have, and of no other.
class PolicyDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/policy.md");
    private static final Pattern QUOTED_KEY =
            Pattern.compile("`((?:fs|net|credentials|exec|approval|resources|inspect|capture|mcp)\\.[a-z_.]+)`");

    /// What looks like a key of a section and is the name of an action.
    private static final Set<String> ACTIONS = Set.of("fs.read", "fs.write", "net.connect", "mcp.call");

    @Test
    void every_key_of_the_schema_is_in_the_document_by_its_whole_name() throws IOException {
        var document = Files.readString(DOCUMENT);

        var missing = keys().stream()
                .filter(key -> !document.contains("`" + key + "`"))
                .toList();

        assertThat(missing).as("keys of the schema that docs/policy.md lacks").isEmpty();
    }

    @Test
    void every_key_that_the_document_names_is_in_the_schema() throws IOException {
        var named = QUOTED_KEY
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(found -> found.group(1))
                .filter(key -> !ACTIONS.contains(key))
                .collect(Collectors.toSet());

        assertThat(named).hasSizeGreaterThan(50);
        assertThat(keys()).containsAll(named);
    }

    @Test
    void the_bounds_of_the_document_are_those_of_the_reader() throws IOException {
        assertThat(Files.readAllLines(DOCUMENT))
                .containsAll(List.of(
                        "| the file | 1 MiB |",
                        "| nesting | 32 levels |",
                        "| values | 20,000 |",
                        "| a key | 256 characters |",
                        "| a value | 65,536 characters |"));
        assertThat(List.of(
                        SourceText.MAX_BYTES,
                        StrictReader.MAX_DEPTH,
                        StrictReader.MAX_NODES,
                        StrictReader.MAX_KEY,
                        StrictReader.MAX_SCALAR))
                .containsExactly(1 << 20, 32, 20_000, 256, 65_536);
    }

    private static Set<String> keys() {
        var found = new TreeSet<String>();
        collect(JsonMapper.builder().build().readTree(PolicySchema.text()), "", found);
        assertThat(found).hasSizeGreaterThan(60);
        found.removeIf(key -> key.startsWith("phases.setup.net.")); // as net
        return found;
    }

    private static void collect(JsonNode schema, String prefix, Set<String> found) {
        schema.path("properties").propertyStream().forEach(property -> {
            found.add(prefix + property.getKey());
            collect(property.getValue(), prefix + property.getKey() + ".", found);
        });
        if (schema.has("items")) {
            collect(schema.path("items"), prefix, found);
        }
        schema.path("anyOf").forEach(choice -> collect(choice, prefix, found));
    }
}
