package dev.cagewright.supervisor.imports;

import dev.cagewright.policy.document.CageName;
import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A policy of another tool as one of this product: it grants what the other did, or less.
///
/// @param format what the source was
/// @param text of the policy, valid, with the remarks as comments at its top
/// @param remarks what could not be carried over as it was, in the order of the source
/// @param secrets names of the secrets that have to be stored before anything runs
public record PolicyImport(Format format, String text, List<Remark> remarks, List<String> secrets) {
    /// The remarks that are listed; a count stands for the rest.
    public static final int MOST_REMARKS = 200;

    /// What somebody wants of a source.
    ///
    /// @param name the file's, printable
    /// @param from whose it is; told by its keys if empty
    /// @param profile of several in the file, the one that is meant
    public record Wish(String name, Optional<Format> from, Optional<String> profile) {}

    /// Reads `bytes` and makes a policy of them.
    ///
    /// @throws ImportException with what is wrong and where, or what has to be said beside it
    public static PolicyImport of(Wish wish, byte[] bytes, Places places) throws ImportException {
        var mapping = Source.read(wish.name(), bytes);
        var format = wish.from().isPresent() ? wish.from().get() : recognised(wish.name(), mapping);
        if (wish.profile().isPresent() && format != Format.CODEX) {
            throw new ImportException(wish.name() + ": a policy of " + format.word() + " has no profiles");
        }
        var draft = new Draft();
        var root = new Section(wish.name(), "", mapping);
        var tool = tool(root, format, draft);
        switch (format) {
            case AGENTCAGE -> new AgentCageImport(draft, places).read(root);
            case TOOLCAGE -> new ToolcageImport(draft).read(root);
            case SANDBOX_RUNTIME -> new SandboxRuntimeImport(draft, places).read(root);
            case CODEX -> new CodexImport(draft, places, wish.profile()).read(root);
        }
        draft.settle();
        return made(wish, format, tool, draft);
    }

    private static Format recognised(String name, Node.Mapping mapping) throws ImportException {
        var known = Format.of(mapping);
        if (known.isPresent()) {
            return known.get();
        }
        var candidates = Format.candidates(mapping);
        throw new ImportException(name + ": "
                + (candidates.isEmpty()
                        ? "no format is known that has these keys"
                        : "this could be of " + String.join(" or ", candidates))
                + " (say which with --from: " + Format.words() + ")");
    }

    private static String tool(Section root, Format format, Draft draft) throws ImportException {
        var usual = "imported-" + format.word();
        if (format.nameKey().isEmpty()) {
            return usual;
        }
        var name = root.text(format.nameKey());
        if (name.isEmpty()) {
            return usual;
        }
        try {
            return new CageName(name.get()).value();
        } catch (IllegalArgumentException e) {
            draft.leave(root.path(format.nameKey()), String.valueOf(e.getMessage()));
            return usual;
        }
    }

    private static PolicyImport made(Wish wish, Format format, String tool, Draft draft) throws ImportException {
        var text = new StringBuilder("# Made of ");
        text.append(Quoted.bare(wish.name()))
                .append(" (")
                .append(format.word())
                .append("): grants what it did, or less.\n");
        var remarks = draft.remarks();
        if (!remarks.isEmpty()) {
            text.append("# What could not be carried over as it was:\n");
            remarks.stream()
                    .limit(MOST_REMARKS)
                    .forEach(remark -> text.append("#   ").append(remark).append('\n'));
        }
        if (remarks.size() > MOST_REMARKS) {
            text.append("#   ... and ").append(remarks.size() - MOST_REMARKS).append(" more\n");
        }
        text.append("tool: ").append(PolicyWriter.line(Node.text(tool))).append('\n');
        draft.sections().forEach((key, value) -> section(text, key, value));
        var whole = text.toString();
        var refusal = PolicyCheck.refusal(whole);
        if (refusal.isPresent()) {
            throw new ImportException(wish.name() + ": what it says together makes no policy: " + refusal.get());
        }
        return new PolicyImport(format, whole, remarks, draft.secrets());
    }

    /// Lists and mappings of the second level on lines of their own, so that a person can edit them.
    private static void section(StringBuilder text, String key, Node value) {
        if (!(value instanceof Node.Mapping mapping)) {
            if (value instanceof Node.Sequence list && list.items().stream().allMatch(Node.Mapping.class::isInstance)) {
                text.append(key).append(":\n").append(items(list, "  "));
            } else {
                text.append(key).append(": ").append(PolicyWriter.line(value)).append('\n');
            }
            return;
        }
        text.append(key).append(":\n");
        for (Node.Entry entry : mapping.entries()) {
            text.append("  ").append(entry.key().text()).append(':');
            if (entry.value() instanceof Node.Sequence list && !list.items().isEmpty()) {
                text.append('\n').append(items(list, "    "));
            } else {
                text.append(' ').append(PolicyWriter.line(entry.value())).append('\n');
            }
        }
    }

    private static String items(Node.Sequence list, String indent) {
        return list.items().stream()
                .map(item -> indent + "- " + PolicyWriter.line(item) + "\n")
                .collect(Collectors.joining());
    }
}
