package dev.cagewright.policy.token.right;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.policy.quantity.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// What one link grants. Patterns mean what they mean in a policy.
///
/// @param actions kinds of action, of [#KINDS]; empty grants nothing at all
/// @param methods in upper case
/// @param budget a bound and no right: none of its own where it is unlimited
public record Rights(
        Reach<String> actions,
        Reach<HostPattern> hosts,
        Reach<String> methods,
        Reach<PathPattern> paths,
        Reach<MountRight> mounts,
        Reach<String> secrets,
        Reach<ToolRight> tools,
        Budget budget) {
    /// Every kind of action that a token can be about.
    public static final List<String> KINDS = List.of(
            "dns.lookup",
            "fs.read",
            "fs.write",
            "http.request",
            "mcp.call",
            "net.connect",
            "proc.exec",
            "run.control",
            "secret.use");

    /// On one axis of one link.
    public static final int MOST_ENTRIES = 60;

    static final int LONGEST_ENTRY = 1024;

    /// Nothing.
    public static final Rights NONE = new Rights(
            Reach.none(),
            Reach.none(),
            Reach.none(),
            Reach.none(),
            Reach.none(),
            Reach.none(),
            Reach.none(),
            Budget.UNLIMITED);

    public Rights {
        if (actions instanceof Reach.All) {
            throw new IllegalArgumentException("actions: \"*\" (expected: some of " + String.join(", ", KINDS) + ")");
        }
    }

    /// Reads the entries of one axis into these rights, in place of what they were.
    ///
    /// @param entries as a person writes them, or a token; `*` alone for everything, where the axis has that
    /// @throws IllegalArgumentException naming the axis and the accepted forms
    public Rights with(Axis axis, List<String> entries) {
        if (entries.size() > MOST_ENTRIES) {
            throw new IllegalArgumentException(
                    axis.word() + ": " + entries.size() + " entries (expected: at most " + MOST_ENTRIES + ")");
        }
        return switch (axis) {
            case ACTIONS -> withActions(only(axis, entries, Rights::kind));
            case HOSTS -> withHosts(reach(axis, entries, text -> HostPattern.parse("hosts", text)));
            case METHODS -> withMethods(reach(axis, entries, Rights::method));
            case PATHS -> withPaths(only(axis, entries, text -> PathPattern.parse("paths", visible(text))));
            case MOUNTS -> withMounts(only(axis, entries, text -> MountRight.parse("mounts", text)));
            case SECRETS -> withSecrets(reach(axis, entries, Rights::secret));
            case TOOLS -> withTools(reach(axis, entries, text -> ToolRight.parse("tools", text)));
        };
    }

    private static <T> Reach<T> reach(Axis axis, List<String> entries, Function<String, T> read) {
        return entries.equals(List.of("*")) ? new Reach.All<>() : only(axis, entries, read);
    }

    private static <T> Reach<T> only(Axis axis, List<String> entries, Function<String, T> read) {
        var all = new ArrayList<T>();
        for (String entry : entries) {
            if (entry.isEmpty() || entry.length() > LONGEST_ENTRY) {
                throw new IllegalArgumentException(axis.word() + ": an entry of " + entry.length()
                        + " characters (expected: 1 to " + LONGEST_ENTRY + ")");
            }
            all.add(read.apply(entry));
        }
        return new Reach.Only<>(all);
    }

    private static String kind(String text) {
        if (!KINDS.contains(text)) {
            throw Field.refusal("actions", text, "some of " + String.join(", ", KINDS));
        }
        return text;
    }

    private static String method(String text) {
        var method = text.toUpperCase(Locale.ROOT);
        boolean isToken = method.chars().allMatch(c -> c > 0x20 && c < 0x7f && "\"(),/:;<=>?@[\\]{}*".indexOf(c) < 0);
        if (!isToken) {
            throw Field.refusal("methods", text, "HTTP methods, e.g. GET; * alone is every method");
        }
        return method;
    }

    private static String visible(String text) {
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw Field.refusal("paths", text, "visible ASCII; write other characters as %XX");
        }
        return text;
    }

    private static String secret(String text) {
        boolean isName = text.chars()
                .allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.'));
        if (!isName) {
            throw Field.refusal("secrets", text, "names of secrets; * alone is every secret");
        }
        return text;
    }

    /// The entries of one axis as a token spells them; empty when it grants nothing there.
    public Optional<String> spelt(Axis axis) {
        var reach = of(axis);
        return reach.isNothing() ? Optional.empty() : Optional.of(reach.spelt());
    }

    Reach<?> of(Axis axis) {
        return switch (axis) {
            case ACTIONS -> actions;
            case HOSTS -> hosts;
            case METHODS -> methods;
            case PATHS -> paths;
            case MOUNTS -> mounts;
            case SECRETS -> secrets;
            case TOOLS -> tools;
        };
    }

    /// Can it be shown that nothing on this axis goes beyond what `wider` grants there?
    public boolean isWithin(Rights wider, Axis axis) {
        return switch (axis) {
            case ACTIONS -> wider.actions.covers(actions, String::equals);
            case HOSTS -> wider.hosts.covers(hosts, HostPattern::covers);
            case METHODS -> wider.methods.covers(methods, String::equals);
            case PATHS -> wider.paths.covers(paths, PathPattern::covers);
            case MOUNTS -> wider.mounts.covers(mounts, MountRight::covers);
            case SECRETS -> wider.secrets.covers(secrets, String::equals);
            case TOOLS -> wider.tools.covers(tools, ToolRight::covers);
        };
    }

    private Rights withActions(Reach<String> changed) {
        return new Rights(changed, hosts, methods, paths, mounts, secrets, tools, budget);
    }

    private Rights withHosts(Reach<HostPattern> changed) {
        return new Rights(actions, changed, methods, paths, mounts, secrets, tools, budget);
    }

    private Rights withMethods(Reach<String> changed) {
        return new Rights(actions, hosts, changed, paths, mounts, secrets, tools, budget);
    }

    private Rights withPaths(Reach<PathPattern> changed) {
        return new Rights(actions, hosts, methods, changed, mounts, secrets, tools, budget);
    }

    private Rights withMounts(Reach<MountRight> changed) {
        return new Rights(actions, hosts, methods, paths, changed, secrets, tools, budget);
    }

    private Rights withSecrets(Reach<String> changed) {
        return new Rights(actions, hosts, methods, paths, mounts, changed, tools, budget);
    }

    private Rights withTools(Reach<ToolRight> changed) {
        return new Rights(actions, hosts, methods, paths, mounts, secrets, changed, budget);
    }

    /// The same under this bound.
    public Rights withBudget(Budget bound) {
        return new Rights(actions, hosts, methods, paths, mounts, secrets, tools, bound);
    }
}
