package dev.cagewright.supervisor.scaffold;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.StrictYaml;
import dev.cagewright.supervisor.policyfile.shape.Group;
import dev.cagewright.supervisor.policyfile.shape.GroupKey;
import dev.cagewright.supervisor.policyfile.shape.ListShape;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import dev.cagewright.supervisor.policyfile.shape.WordMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The form of a `scaffold.yaml`.
final class ScaffoldFile {
    private static final int MOST_TEXT = 65_536;
    private static final String SECRET_NAME = "[A-Za-z_][A-Za-z0-9_]{0,127}";

    private static final GroupKey<String> NAME = GroupKey.required(
            "name", words("a name of small letters, digits and '-'", Scaffold.NAME), "What it is called.");
    private static final GroupKey<String> ABOUT =
            GroupKey.optional("about", ScalarShape.visibleText("one line"), "What it is, in one line.");
    private static final GroupKey<String> PROGRAM = GroupKey.required(
            "program",
            words("a program's name", "[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}"),
            "What runs, looked for on your PATH.");
    private static final GroupKey<List<String>> ARGUMENTS = GroupKey.optional(
            "arguments",
            new ListShape<>("a list of arguments", ScalarShape.visibleText("an argument")),
            "Arguments before yours.");
    private static final GroupKey<String> INSTALL =
            GroupKey.optional("install", ScalarShape.visibleText("a command"), "How a person would install it.");
    private static final GroupKey<Map<String, String>> ENVIRONMENT = GroupKey.optional(
            "environment",
            new WordMap<>(
                    "a mapping of variables",
                    ScalarShape.text(
                            "an environment variable", "^[A-Za-z_][A-Za-z0-9_]{0,127}$", ExecSection::variable),
                    ScalarShape.visibleText("a value")),
            "Variables of the cage.");
    private static final GroupKey<List<String>> HINTS = GroupKey.optional(
            "hints",
            new ListShape<>("a list of lines", ScalarShape.visibleText("one line")),
            "What a person should know before the first run.");

    private static final GroupKey<String> SECRET = GroupKey.required(
            "name", words("a secret's name", SECRET_NAME), "The secret, which is the variable of its decoy, too.");
    private static final GroupKey<List<String>> USE_WITH = GroupKey.required(
            "use_with",
            new ListShape<>("a list of hosts", ScalarShape.visibleText("a host"), 1),
            "The hosts that it may go to.");
    private static final Group<Credential> SECRET_ENTRY = Group.of(
            "a mapping with name and use_with",
            List.of(SECRET, USE_WITH),
            values -> new Credential(
                    values.get(SECRET), Optional.of(values.get(SECRET)), values.get(USE_WITH), Optional.empty()));
    private static final GroupKey<List<Credential>> SECRETS = GroupKey.optional(
            "secrets",
            new ListShape<>("a list of secrets", SECRET_ENTRY),
            "Secrets that it is lent where they are stored.");

    private static final GroupKey<String> PATH = GroupKey.required(
            "path",
            ScalarShape.text("a path below the home", "^[^/].*$", ScaffoldFile::path),
            "Where, below the home.");
    private static final GroupKey<Scaffold.HomeFile.Way> WAY = GroupKey.optional(
            "when",
            ScalarShape.word(List.of("absent", "replace", "merge"), ScaffoldFile::way),
            "What becomes of a file that is there.");
    private static final GroupKey<String> TEXT =
            GroupKey.required("text", ScalarShape.text("a text", "^", ScaffoldFile::text), "What stands in it.");
    private static final GroupKey<String> WITH = GroupKey.optional(
            "with", words("a secret's name", SECRET_NAME), "The secret without which it is not put there.");
    private static final Group<Scaffold.HomeFile> FILE = Group.of(
            "a mapping with path, with, when and text",
            List.of(PATH, WITH, WAY, TEXT),
            values -> new Scaffold.HomeFile(
                    values.get(PATH),
                    values.find(WITH),
                    values.find(WAY).orElse(Scaffold.HomeFile.Way.ABSENT),
                    values.get(TEXT)));
    private static final GroupKey<List<Scaffold.HomeFile>> HOME = GroupKey.optional(
            "home", new ListShape<>("a list of files", FILE), "Files that stand in its home when it starts.");

    private static final GroupKey<String> HOST = GroupKey.required(
            "host",
            ScalarShape.text("a host such as api.example.com, or npm registry", "^[A-Za-z0-9*.:_ -]+$", Contact::host),
            "Whom: a host, *.example.com, or a tool's registry.");
    private static final GroupKey<String> WHY =
            GroupKey.required("why", ScalarShape.visibleText("a few words"), "What for.");
    private static final Group<Contact> CONTACT = Group.of(
            "a mapping with host and why",
            List.of(HOST, WHY),
            values -> new Contact(values.get(HOST), values.get(WHY)));
    private static final GroupKey<List<Contact>> CONTACTS = GroupKey.optional(
            "contacts",
            new ListShape<>("a list of hosts with why", CONTACT),
            "Whom it asks for what it needs; the policy says who may be reached.");
    private static final GroupKey<List<Contact>> REFUSED = GroupKey.optional(
            "refused",
            new ListShape<>("a list of hosts with why", CONTACT),
            "Whom it asks for what it does not need, and what for: no surprise when it is refused.");

    private ScaffoldFile() {}

    /// Reads one.
    ///
    /// @param shown the file's name for messages, printable
    /// @throws PolicySyntaxException with everything that is wrong
    static Scaffold read(String shown, byte[] bytes, LoadedPolicy policy) throws PolicySyntaxException {
        return StrictYaml.read(
                shown,
                bytes,
                Group.of(
                        "a mapping with name, program and others",
                        List.of(
                                NAME,
                                ABOUT,
                                PROGRAM,
                                ARGUMENTS,
                                INSTALL,
                                ENVIRONMENT,
                                SECRETS,
                                HOME,
                                CONTACTS,
                                REFUSED,
                                HINTS),
                        values -> new Scaffold(
                                values.get(NAME),
                                values.find(ABOUT).orElse(""),
                                values.get(PROGRAM),
                                values.find(ARGUMENTS).orElse(List.of()),
                                values.find(INSTALL).orElse(""),
                                values.find(ENVIRONMENT).orElse(Map.of()),
                                values.find(SECRETS).orElse(List.of()),
                                values.find(HOME).orElse(List.of()),
                                values.find(CONTACTS).orElse(List.of()),
                                values.find(REFUSED).orElse(List.of()),
                                values.find(HINTS).orElse(List.of()),
                                policy)));
    }

    private static ScalarShape<String> words(String expected, String pattern) {
        return ScalarShape.text(expected, "^" + pattern + "$", (field, text) -> {
            if (text.matches(pattern)) {
                return text;
            }
            throw Field.refusal(field, text, expected);
        });
    }

    private static String path(String field, String text) {
        try {
            var path = RelativePath.written(ByteString.of(text));
            if (!path.isTop() && path.toString().equals(text)) {
                return text;
            }
        } catch (IllegalArgumentException _) {
            // refused below
        }
        throw Field.refusal(field, text, "a path such as .config/agent/settings.json");
    }

    private static Scaffold.HomeFile.Way way(String field, String text) {
        return switch (text) {
            case "absent" -> Scaffold.HomeFile.Way.ABSENT;
            case "replace" -> Scaffold.HomeFile.Way.REPLACE;
            case "merge" -> Scaffold.HomeFile.Way.MERGE;
            default -> throw Field.refusal(field, text, "absent, replace or merge");
        };
    }

    private static String text(String field, String text) {
        if (text.length() > MOST_TEXT) {
            throw Field.refusal(field, text.length() + " characters", "at most " + MOST_TEXT);
        }
        return text;
    }
}
