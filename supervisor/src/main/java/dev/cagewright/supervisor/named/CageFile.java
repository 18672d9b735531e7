package dev.cagewright.supervisor.named;

import dev.cagewright.audit.json.JsonString;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.StrictYaml;
import dev.cagewright.supervisor.policyfile.shape.Group;
import dev.cagewright.supervisor.policyfile.shape.GroupKey;
import dev.cagewright.supervisor.policyfile.shape.ListShape;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import dev.cagewright.supervisor.scaffold.Scaffold;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The form of a `cage.yaml`.
final class CageFile {
    private static final GroupKey<String> NAME = GroupKey.required(
            "name",
            ScalarShape.text(
                    "a name of small letters, digits and '-'",
                    "^" + NamedCage.NAME + "$",
                    (_, text) -> NamedCage.requireName(text)),
            "What it is called; its folder's name.");
    private static final GroupKey<String> WORKSPACE = GroupKey.required(
            "workspace",
            ScalarShape.text(
                    "the absolute path of a folder", "^/", (field, text) -> Field.hostFile(field, text, "a folder")),
            "The folder of the host that the policy calls /workspace.");
    private static final GroupKey<String> SCAFFOLD = GroupKey.optional(
            "scaffold",
            ScalarShape.text("a scaffold's name", "^" + Scaffold.NAME + "$", CageFile::scaffold),
            "The agent that lives in it.");
    private static final GroupKey<List<SecretWish>> SECRETS = GroupKey.optional(
            "secrets",
            new ListShape<>(
                    "a list of secrets",
                    ScalarShape.text("the name of a secret, or NAME=VARIABLE", "^", CageFile::secret)),
            "Stored secrets that it is lent.");
    private static final GroupKey<List<PublishedPort>> PUBLISH = GroupKey.optional(
            "publish",
            new ListShape<>(
                    "a list of ports",
                    new ScalarShape<>(
                            Set.of(PlainType.WHOLE, PlainType.STRING),
                            "a port such as 3000 or \"8080:80\"",
                            Map.of(),
                            PublishedPort::parse)),
            "Ports of the cage that 127.0.0.1 answers for.");
    private static final Group<NamedCage> CAGE = Group.of(
            "a mapping with name, workspace and others",
            List.of(NAME, WORKSPACE, SCAFFOLD, SECRETS, PUBLISH),
            values -> new NamedCage(
                    values.get(NAME),
                    Path.of(values.get(WORKSPACE)).normalize(),
                    values.find(SCAFFOLD),
                    values.find(SECRETS).orElse(List.of()),
                    values.find(PUBLISH).orElse(List.of())));

    private CageFile() {}

    /// Reads one.
    ///
    /// @param shown the file's name for messages, printable
    /// @throws PolicySyntaxException with everything that is wrong
    static NamedCage read(String shown, byte[] bytes) throws PolicySyntaxException {
        return StrictYaml.read(shown, bytes, CAGE);
    }

    /// One as a file, with a word about each key. Strings of JSON are strings of YAML.
    static String write(NamedCage cage) {
        var text = new StringBuilder(512)
                .append("# What there is beside policy.yaml. Change it with: cagewright edit ")
                .append(cage.name())
                .append(" --cage\n")
                .append("name: ")
                .append(quoted(cage.name()))
                .append("\n\n# The folder of this machine that the policy calls /workspace.\nworkspace: ")
                .append(quoted(cage.workspace().toString()))
                .append("\n\n# The agent that lives in it; cagewright scaffold list knows them.\n");
        cage.scaffold()
                .ifPresentOrElse(
                        name -> text.append("scaffold: ").append(name).append('\n'),
                        () -> text.append("#scaffold: claude-code\n"));
        text.append("\n# Stored secrets that it is lent, as decoys: NAME, or NAME=VARIABLE.\n")
                .append(list("secrets", names(cage.secrets()), "ANTHROPIC_API_KEY"))
                .append("\n# Ports of the cage that 127.0.0.1 of this machine answers for: PORT, or HOST:CAGE.\n")
                .append(list(
                        "publish",
                        cage.publish().stream().map(PublishedPort::toString).toList(),
                        "8080:80"));
        return text.toString();
    }

    private static String list(String key, List<String> values, String example) {
        return (values.isEmpty()
                        ? "#" + key + ": [" + quoted(example)
                        : key + ": [" + values.stream().map(CageFile::quoted).collect(Collectors.joining(", ")))
                + "]\n";
    }

    static List<String> names(List<SecretWish> wishes) {
        return wishes.stream().map(CageFile::text).toList();
    }

    private static String text(SecretWish wish) {
        return wish.name() + wish.env().map(variable -> "=" + variable).orElse("");
    }

    private static String quoted(String text) {
        return new JsonString(text).write();
    }

    private static String scaffold(String field, String text) {
        if (!text.matches(Scaffold.NAME)) {
            throw Field.refusal(field, text, "a scaffold's name, as cagewright scaffold list has them");
        }
        return text;
    }

    /// What stands there may be a value by mistake, and is not shown.
    private static SecretWish secret(String field, String text) {
        try {
            return SecretWish.parse(text);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException(field + ": is neither NAME nor NAME=VARIABLE, and is not shown"
                    + " (expected: a stored secret's name; a value is stored by cagewright secret set)");
        }
    }
}
