package dev.cagewright.policy.document;

import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// `approval`: what a person has to agree to first.
///
/// @param timeout how long an answer is awaited; silence is denial
/// @param requireFor each entry asks for the actions it covers
public record ApprovalSection(Optional<TimeSpan> timeout, List<Condition> requireFor) {
    /// How long an answer is awaited when no policy says.
    public static final Duration USUAL_TIMEOUT = Duration.ofMinutes(5);

    /// Which actions of one kind need a person's agreement. An absent filter covers all of that kind; an empty
    /// list covers none.
    ///
    /// @param action the action's name, e.g. `http.request`
    /// @param methods `http.request` only
    /// @param hosts host patterns or aliases; network actions and `secret.use`
    /// @param paths path patterns; `http.request`, `fs.read` and `fs.write`
    /// @param names programs for `proc.exec`, secrets for `secret.use`, tools or patterns of them for `mcp.call`
    public record Condition(
            String action,
            Optional<List<String>> methods,
            Optional<List<String>> hosts,
            Optional<List<String>> paths,
            Optional<List<String>> names) {

        /// The actions an approval can be asked for.
        public static final List<String> ACTIONS = List.of(
                "proc.exec",
                "fs.read",
                "fs.write",
                "http.request",
                "net.connect",
                "dns.lookup",
                "secret.use",
                "mcp.call");

        public Condition {
            methods = methods.map(List::copyOf);
            hosts = hosts.map(List::copyOf);
            paths = paths.map(List::copyOf);
            names = names.map(List::copyOf);
            if (!ACTIONS.contains(action)) {
                throw Field.refusal("approval.require_for", action, "one of " + String.join(", ", ACTIONS));
            }
            requireFilter(methods, "methods", action, List.of("http.request"));
            requireFilter(hosts, "hosts", action, List.of("http.request", "net.connect", "dns.lookup", "secret.use"));
            requireFilter(paths, "paths", action, List.of("http.request", "fs.read", "fs.write"));
            if (action.equals("mcp.call")) {
                names.orElse(List.of()).forEach(name -> NamePattern.parse("names", name));
            }
            requireFilter(names, "names", action, List.of("proc.exec", "secret.use", "mcp.call"));
        }

        private static void requireFilter(
                Optional<List<String>> filter, String word, String action, List<String> actions) {
            if (filter.isPresent() && !actions.contains(action)) {
                throw Field.refusal("approval.require_for." + action, word, "a filter that " + action + " has");
            }
        }
    }

    public ApprovalSection {
        requireFor = List.copyOf(requireFor);
    }
}
