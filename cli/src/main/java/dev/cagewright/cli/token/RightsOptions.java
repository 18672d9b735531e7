package dev.cagewright.cli.token;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// What a token is to grant, as the person says it.
final class RightsOptions {
    @Option(
            names = "--rev",
            paramLabel = "NAME",
            description = "Its name, by which it is revoked; by default a new one.")
    private Optional<String> rev = Optional.empty();

    @Option(
            names = "--actions",
            paramLabel = "KIND",
            split = ",",
            description = "Kinds of action: http.request, net.connect, dns.lookup, proc.exec, fs.read, fs.write,"
                    + " secret.use, mcp.call, run.control.")
    private List<String> actions = new ArrayList<>();

    @Option(
            names = "--hosts",
            paramLabel = "HOST",
            split = ",",
            description = "Hosts, as in a policy: api.example.com, *.example.com; '*' is every host.")
    private List<String> hosts = new ArrayList<>();

    @Option(names = "--methods", paramLabel = "METHOD", split = ",", description = "HTTP methods; '*' is every method.")
    private List<String> methods = new ArrayList<>();

    @Option(
            names = "--paths",
            paramLabel = "PATH",
            split = ",",
            description = "Paths, as in a policy: /a is /a alone, /a/** is /a, /a/ and all below.")
    private List<String> paths = new ArrayList<>();

    @Option(
            names = "--mounts",
            paramLabel = "TREE",
            split = ",",
            description = "Trees of files in the cage: ro:/usr/share, rw:/workspace.")
    private List<String> mounts = new ArrayList<>();

    @Option(
            names = "--secrets",
            paramLabel = "NAME",
            split = ",",
            description = "Secrets that may be used; '*' is every secret.")
    private List<String> secrets = new ArrayList<>();

    @Option(
            names = "--tools",
            paramLabel = "SERVER/TOOL",
            split = ",",
            description = "Tools of MCP servers that may be called: files/read_file, files/get_*; '*' is every tool.")
    private List<String> tools = new ArrayList<>();

    @Option(names = "--requests", paramLabel = "N[/day]", description = "The most requests, as a policy's budget.")
    private Optional<String> requests = Optional.empty();

    @Option(names = "--sent", paramLabel = "SIZE[/day]", description = "The most bytes that leave.")
    private Optional<String> sent = Optional.empty();

    @Option(names = "--received", paramLabel = "SIZE[/day]", description = "The most bytes that come.")
    private Optional<String> received = Optional.empty();

    @Option(names = "--expires-in", paramLabel = "TIME", description = "How long it holds, e.g. 2h, at most 3650d.")
    private Optional<String> expiresIn = Optional.empty();

    Optional<RevId> rev() {
        return rev.map(RevId::new);
    }

    /// In seconds.
    Optional<Long> expiresIn() {
        return expiresIn.map(text -> {
            long seconds = TimeSpan.parse("--expires-in", text).value().toSeconds();
            if (seconds < 1) {
                throw new IllegalArgumentException("--expires-in: \"" + text + "\" (expected: at least 1s)");
            }
            return seconds;
        });
    }

    /// `base`, with what was said in place of what it had.
    Rights over(Rights base) {
        var rights = base;
        for (Axis axis : Axis.values()) {
            var said = said(axis);
            rights = said.isEmpty() ? rights : rights.with(axis, entries(said));
        }
        var budget = base.budget();
        return rights.withBudget(new Budget(
                requests.map(text -> Budget.parseRequests("--requests", text)).or(budget::requests),
                sent.map(text -> Budget.parseBytes("--sent", text)).or(budget::sent),
                received.map(text -> Budget.parseBytes("--received", text)).or(budget::received)));
    }

    /// An empty word alone grants nothing.
    private static List<String> entries(List<String> said) {
        return said.equals(List.of("")) ? List.of() : said;
    }

    private List<String> said(Axis axis) {
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
}
