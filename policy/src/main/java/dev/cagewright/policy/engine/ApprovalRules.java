package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.argv.ArgvReader;
import dev.cagewright.policy.argv.ExecAllowlist;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.ApprovalSection.Condition;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.match.NetEntry;
import dev.cagewright.policy.match.NetTable;
import dev.cagewright.policy.match.PathTable;
import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What a person has to agree to first, compiled. Every question exists before the first action.
final class ApprovalRules {
    private record OnNet(NetTable table, List<Decision.Ask> questions) {}

    private record OnPaths(PathTable table, List<Decision.Ask> questions) {}

    private record OnPrograms(Optional<ExecAllowlist> programs, Decision.Ask question) {}

    private record OnSecrets(Optional<List<String>> names, Optional<List<HostPattern>> hosts, Decision.Ask question) {}

    private record OnTools(Optional<List<NamePattern>> names, Decision.Ask question) {}

    private final boolean isNeeded;
    private final OnNet requests;
    private final OnNet connections;
    private final OnNet lookups;
    private final OnPaths reads;
    private final OnPaths writes;
    private final List<OnPrograms> programs;
    private final List<OnSecrets> secrets;
    private final List<OnTools> tools;

    ApprovalRules(Optional<ApprovalSection> section, Terms terms, Entries entries) {
        var source = new Source(
                section.map(ApprovalSection::requireFor).orElse(List.of()),
                terms.patience()
                        .or(() -> section.flatMap(ApprovalSection::timeout))
                        .map(TimeSpan::value)
                        .orElse(ApprovalSection.USUAL_TIMEOUT),
                entries);
        this.isNeeded = !source.conditions().isEmpty();
        this.requests = source.onNet("http.request");
        this.connections = source.onNet("net.connect");
        this.lookups = source.onNet("dns.lookup");
        this.reads = source.onPaths("fs.read");
        this.writes = source.onPaths("fs.write");
        this.programs = source.onPrograms();
        this.secrets = source.onSecrets();
        this.tools = source.onTools();
    }

    /// The conditions, taken apart by the kind of action.
    private record Source(List<Condition> conditions, Duration patience, Entries entries) {
        private List<Integer> of(String action) {
            return IntStream.range(0, conditions.size())
                    .filter(i -> conditions.get(i).action().equals(action))
                    .boxed()
                    .toList();
        }

        private Decision.Ask question(int index) {
            return new Decision.Ask(List.of(Rules.at("approval.require_for", index)), patience);
        }

        private List<Decision.Ask> questions(List<Integer> indexes) {
            return indexes.stream().map(this::question).toList();
        }

        private String field(int index) {
            return Rules.at("approval.require_for", index) + "."
                    + conditions.get(index).action();
        }

        private OnNet onNet(String action) {
            var indexes = of(action);
            var all = new ArrayList<NetEntry>();
            for (int i : indexes) {
                var condition = conditions.get(i);
                all.add(new NetEntry(
                        condition.hosts().map(hosts -> entries.named(field(i) + ".hosts", hosts)),
                        condition.methods().map(methods -> entries.methods(field(i) + ".methods", methods)),
                        condition.paths().map(paths -> entries.paths(field(i) + ".paths", paths)),
                        Optional.empty()));
            }
            return new OnNet(NetTable.of(all), questions(indexes));
        }

        private OnPaths onPaths(String action) {
            var indexes = of(action);
            var lists = indexes.stream()
                    .map(i -> conditions.get(i).paths().map(paths -> entries.paths(field(i) + ".paths", paths)))
                    .toList();
            return new OnPaths(PathTable.of(lists), questions(indexes));
        }

        private List<OnPrograms> onPrograms() {
            return of("proc.exec").stream()
                    .map(i -> new OnPrograms(conditions.get(i).names().map(ExecAllowlist::new), question(i)))
                    .toList();
        }

        private List<OnTools> onTools() {
            return of("mcp.call").stream()
                    .map(i -> new OnTools(
                            conditions
                                    .get(i)
                                    .names()
                                    .map(names -> names.stream()
                                            .map(name -> NamePattern.parse(field(i) + ".names", name))
                                            .toList()),
                            question(i)))
                    .toList();
        }

        private List<OnSecrets> onSecrets() {
            return of("secret.use").stream()
                    .map(i -> new OnSecrets(
                            conditions.get(i).names(),
                            conditions.get(i).hosts().map(hosts -> entries.named(field(i) + ".hosts", hosts)),
                            question(i)))
                    .toList();
        }
    }

    private Decision.@Nullable Ask forTool(String tool) {
        for (OnTools condition : tools) {
            boolean isNamed = condition
                    .names()
                    .map(names -> names.stream().anyMatch(pattern -> pattern.matches(tool)))
                    .orElse(true);
            if (isNamed) {
                return condition.question();
            }
        }
        return null;
    }

    /// The question that `action` raises, or null.
    Decision.@Nullable Ask questionOrNull(Action action) {
        return isNeeded ? matchingOrNull(action) : null;
    }

    private Decision.@Nullable Ask matchingOrNull(Action action) {
        return switch (action) {
            case Action.HttpRequest(String method, HostName host, int port, String path) ->
                at(requests.questions, requests.table.findRequest(host, port, method, path));
            case Action.NetConnect(HostName host, int port) -> forConnection(host, port);
            case Action.DnsLookup(HostName host) -> at(lookups.questions, lookups.table.findHost(host));
            case Action.FsRead(var path) -> at(reads.questions, reads.table.find(path.value()));
            case Action.FsWrite(var path) -> at(writes.questions, writes.table.find(path.value()));
            case Action.ProcExec exec -> forPrograms(exec);
            case Action.SecretUse(String secret, HostName host) -> forSecret(secret, host);
            case Action.McpCall(var _, String tool) -> forTool(tool);
            case Action.RunControl _, Action.NetPublish _ -> null;
        };
    }

    /// What is said over a connection that is not opened may be what requests are asked about.
    private Decision.@Nullable Ask forConnection(HostName host, int port) {
        var own = at(connections.questions, connections.table.findConnection(host, port));
        return own == null ? at(requests.questions, requests.table.findUsable(host)) : own;
    }

    private static Decision.@Nullable Ask at(List<Decision.Ask> questions, int index) {
        return index < 0 ? null : questions.get(index);
    }

    private Decision.@Nullable Ask forPrograms(Action.ProcExec action) {
        if (programs.isEmpty()) {
            return null;
        }
        var started = ArgvReader.read(action.argv()).programs();
        for (OnPrograms condition : programs) {
            var some = condition.programs();
            if (some.isEmpty()
                    || started.stream().anyMatch(program -> some.get().allows(program.name()))) {
                return condition.question();
            }
        }
        return null;
    }

    private Decision.@Nullable Ask forSecret(String secret, HostName host) {
        for (OnSecrets condition : secrets) {
            boolean isNamed =
                    condition.names().map(names -> names.contains(secret)).orElse(true);
            boolean isThere = condition
                    .hosts()
                    .map(hosts -> hosts.stream().anyMatch(pattern -> pattern.matches(host)))
                    .orElse(true);
            if (isNamed && isThere) {
                return condition.question();
            }
        }
        return null;
    }
}
