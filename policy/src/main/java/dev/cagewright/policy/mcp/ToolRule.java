package dev.cagewright.policy.mcp;

import dev.cagewright.policy.quantity.Field;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// One entry of `mcp.tools`.
///
/// @param tool as the server says its name
/// @param server whose tool it is; absent means any server that this policy is for
/// @param answer what the entry says to a call
/// @param arguments the JSON Schema that arguments have to fit, as JSON on one line
/// @param paths arguments that are paths of the cage, by name or JSON pointer, and what is done to them
/// @param hosts arguments that are URLs or hosts, by name or JSON pointer
public record ToolRule(
        NamePattern tool,
        Optional<NamePattern> server,
        Answer answer,
        Optional<String> arguments,
        SequencedMap<String, Access> paths,
        List<String> hosts) {
    private static final int LONGEST_POINTER = 1024;

    /// What an entry says.
    public enum Answer {
        ALLOW,
        /// As ALLOW, while somebody learns what a policy lacks. No file says so.
        LEARN,
        /// A person has to agree to each call.
        ASK,
        DENY
    }

    /// What a tool does to a path.
    public enum Access {
        READ,
        WRITE,
        BOTH;

        /// Reads one of the words.
        ///
        /// @throws IllegalArgumentException naming `field` and the words
        public static Access parse(String field, String text) {
            return switch (text) {
                case "read" -> READ;
                case "write" -> WRITE;
                case "both" -> BOTH;
                default -> throw Field.refusal(field, text, "read, write or both");
            };
        }

        /// As policies spell it.
        public String word() {
            return switch (this) {
                case READ -> "read";
                case WRITE -> "write";
                case BOTH -> "both";
            };
        }
    }

    public ToolRule {
        paths = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(paths));
        hosts = List.copyOf(hosts);
        boolean hasConditions = arguments.isPresent() || !paths.isEmpty() || !hosts.isEmpty();
        if (answer == Answer.DENY && hasConditions) {
            throw Field.refusal(
                    "mcp.tools", tool.toString(), "no arguments, paths or hosts beside deny: true, which denies all");
        }
    }

    /// An entry that lets every call of `tool` through.
    public static ToolRule of(NamePattern tool) {
        return new ToolRule(tool, Optional.empty(), Answer.ALLOW, Optional.empty(), new LinkedHashMap<>(), List.of());
    }

    /// The entry that lets through and records whatever no other names.
    static ToolRule learning() {
        return new ToolRule(
                NamePattern.ANY, Optional.empty(), Answer.LEARN, Optional.empty(), new LinkedHashMap<>(), List.of());
    }

    /// Reads the name of an argument: a member of the arguments, or a JSON pointer (RFC 6901) in which `*` stands for
    /// every item of a list or every member of an object.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static String argument(String field, String text) {
        boolean isRight = !text.isEmpty()
                && !text.equals("/")
                && text.length() <= LONGEST_POINTER
                && !Field.hasControl(text)
                && !text.matches("(?s).*~([^01].*)?");
        if (!isRight) {
            throw Field.refusal(
                    field, text, "an argument's name such as path, or a JSON pointer such as /files/*/path");
        }
        return text;
    }

    /// E.g. `get_* of github, if a person agrees`.
    @Override
    public String toString() {
        return tool
                + server.map(name -> " of " + name).orElse("")
                + switch (answer) {
                    case ALLOW -> "";
                    case LEARN -> ", to learn";
                    case ASK -> ", if a person agrees";
                    case DENY -> ", denied";
                }
                + arguments.map(schema -> ", arguments " + schema).orElse("")
                + (paths.isEmpty()
                        ? ""
                        : paths.entrySet().stream()
                                .map(path ->
                                        path.getKey() + ": " + path.getValue().word())
                                .collect(Collectors.joining(", ", ", paths {", "}")))
                + (hosts.isEmpty() ? "" : ", hosts " + hosts);
    }
}
