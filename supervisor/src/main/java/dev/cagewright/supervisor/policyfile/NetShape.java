package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.policyfile.shape.Group;
import dev.cagewright.supervisor.policyfile.shape.GroupKey;
import dev.cagewright.supervisor.policyfile.shape.GroupValues;
import dev.cagewright.supervisor.policyfile.shape.ListShape;
import dev.cagewright.supervisor.policyfile.shape.OneOrMany;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import dev.cagewright.supervisor.policyfile.shape.WordMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The keys of `net` and `credentials`: where the cage may go, and which secrets may go there.
final class NetShape {
    private static final String HOST_PATTERN =
            "^((\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$";

    static final ListShape<String> METHODS = new ListShape<>(
            "a list of HTTP methods",
            ScalarShape.text("an HTTP method such as GET", "^[A-Za-z][A-Za-z-]{0,31}$", NetShape::method));

    static final ListShape<String> HOSTS =
            new ListShape<>("a list of hosts", ScalarShape.visibleText("a host or alias"));

    static final ListShape<String> PATHS =
            new ListShape<>("a list of paths", ScalarShape.text("a path such as /api/**", "^/", NetShape::path));

    private static final GroupKey<Budget.Rate> REQUESTS =
            GroupKey.optional("requests", Quantities.REQUESTS, "How many requests, for a period or the whole run.");
    private static final GroupKey<Budget.Rate> SENT =
            GroupKey.optional("sent", Quantities.BYTES, "How much may be sent, for a period or the whole run.");
    private static final GroupKey<Budget.Rate> RECEIVED =
            GroupKey.optional("received", Quantities.BYTES, "How much may be received, for a period or the whole run.");

    private static final Group<Budget> BUDGET = Group.of(
            "a budget",
            List.of(REQUESTS, SENT, RECEIVED),
            values -> new Budget(values.find(REQUESTS), values.find(SENT), values.find(RECEIVED)));

    private static final GroupKey<String> HOST = GroupKey.optional(
            "host",
            ScalarShape.text("a host such as api.example.com", HOST_PATTERN, NetShape::host),
            "A host name, an address, or *.example.com for every name below it but not itself.");
    private static final GroupKey<String> ALIAS = GroupKey.optional(
            "alias", ScalarShape.visibleText("an alias"), "A short name from net.aliases, or a built-in one.");
    private static final GroupKey<List<String>> ALLOWED_METHODS =
            GroupKey.optional("methods", METHODS, "HTTP methods that are allowed; absent means all.");
    private static final GroupKey<List<String>> ALLOWED_PATHS = GroupKey.optional(
            "paths", PATHS, "Paths that are allowed, * within a segment and ** for any segments; absent means all.");
    private static final GroupKey<List<Integer>> PORT = GroupKey.<List<Integer>>optional(
                    "port",
                    new OneOrMany<>(new ListShape<>("a list of ports", Quantities.PORT)),
                    "Ports that are allowed; absent means 443 and 80.")
            .alsoNamed("ports");
    private static final GroupKey<HostRule.Protocol> PROTOCOL = GroupKey.optional(
            "protocol",
            ScalarShape.word(List.of("http", "tcp"), HostRule.Protocol::parse),
            "How the host is spoken to; tcp is passed through as bytes.");
    private static final GroupKey<List<String>> ADDRESSES = GroupKey.optional(
            "addresses",
            new ListShape<>(
                    "a list of addresses",
                    ScalarShape.text(
                            "an IP address, or one with a prefix length,",
                            "^[0-9a-fA-F:.]+(/[0-9]{1,3})?$",
                            NetShape::address)),
            "The only addresses that may be dialled for this host; absent means any public one.");
    private static final GroupKey<HostRule.Inspection> INSPECT = GroupKey.optional(
            "inspect",
            ScalarShape.flag(HostRule.Inspection.OPENED, HostRule.Inspection.PASSED_THROUGH),
            "false passes TLS through unopened; the server name is still checked.");
    private static final GroupKey<Budget> HOST_BUDGET =
            GroupKey.optional("budget", BUDGET, "How much of this destination may be used.");

    private static final ScalarShape<String> PEM_FILE =
            ScalarShape.text("the absolute path of a PEM file on this machine", "^/", Upstream::file);
    private static final GroupKey<String> HOST_CA = GroupKey.optional(
            "upstream_ca",
            PEM_FILE,
            "The certificates that alone may vouch for this host; absent means the usual roots.");

    private static final Group<HostRule> HOST_RULE = Group.of(
                    "a mapping with host or alias",
                    List.of(
                            HOST,
                            ALIAS,
                            ALLOWED_METHODS,
                            ALLOWED_PATHS,
                            PORT,
                            PROTOCOL,
                            ADDRESSES,
                            INSPECT,
                            HOST_CA,
                            HOST_BUDGET),
                    NetShape::hostRule)
            .withExactlyOneOf(List.of("host", "alias"));

    private static final GroupKey<NetSection.Reach> MODE = GroupKey.optional(
            "mode",
            ScalarShape.word(List.of("none", "allowlist", "observe"), NetSection.Reach::parse),
            "none closes the network; allowlist opens what is listed; observe also lets unlisted hosts through.");
    private static final GroupKey<List<String>> REGISTRIES = GroupKey.optional(
            "registries",
            new ListShape<>(
                    "a list of package tools",
                    ScalarShape.text("a package tool such as npm", "^[a-z0-9][a-z0-9-]{0,62}$", NetShape::registry)),
            "Package registries by their tool; the hosts come from that tool's configuration on this machine.");
    private static final GroupKey<List<HostRule>> HOST_RULES =
            GroupKey.optional("hosts", new ListShape<>("a list of hosts", HOST_RULE), "Where the cage may go.");
    private static final GroupKey<Map<String, String>> ALIASES = GroupKey.optional(
            "aliases",
            new WordMap<>(
                    "a mapping from alias to host",
                    ScalarShape.text(
                            "an alias such as github", "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", NetShape::alias),
                    ScalarShape.text("a host such as api.github.com", HOST_PATTERN, NetShape::host)),
            "Short names for hosts.");

    private static final GroupKey<Upstream.Proxy> UPSTREAM_PROXY = GroupKey.optional(
            "upstream_proxy",
            ScalarShape.text("a proxy such as http://proxy.example:3128", "^http://", Upstream.Proxy::parse),
            "The HTTP proxy that the gateway goes through; absent means that hosts are dialled.");
    private static final GroupKey<String> UPSTREAM_CA = GroupKey.optional(
            "upstream_ca", PEM_FILE, "Certificates that the gateway trusts beside the roots of this machine.");

    private static final GroupKey<Budget> TOTAL_BUDGET =
            GroupKey.optional("budget", BUDGET, "How much all destinations together may be used.");

    private static final GroupKey<List<String>> GRANTED_HOSTS =
            GroupKey.required("hosts", new OneOrMany<>(HOSTS), "The hosts or aliases; [] means none.");
    private static final GroupKey<TimeSpan> GRANTED_TIME =
            GroupKey.optional("for", Quantities.TIME, "The longest that a grant lasts; absent means 1h.");

    private static final GroupKey<List<NetSection.MayGrant>> MAY_GRANT = GroupKey.optional(
            "may_grant",
            new ListShape<>(
                    "a list of what may be granted",
                    Group.of(
                            "a mapping with hosts",
                            List.of(GRANTED_HOSTS, ALLOWED_METHODS, ALLOWED_PATHS, PORT, ADDRESSES, GRANTED_TIME),
                            values -> new NetSection.MayGrant(
                                    values.get(GRANTED_HOSTS),
                                    values.find(ALLOWED_METHODS),
                                    values.find(ALLOWED_PATHS),
                                    values.find(PORT),
                                    values.find(ADDRESSES),
                                    values.find(GRANTED_TIME)))),
            "What a program that asks is granted for a time without a person; [] means nothing.");

    private static final GroupKey<List<Integer>> PUBLISH = GroupKey.optional(
            "publish",
            new ListShape<>("a list of ports", Quantities.PORT),
            "Ports of the cage that 127.0.0.1 of this machine may answer for when a run asks; [] means none.");

    private static final List<GroupKey<?>> OF_BOTH_PHASES =
            List.of(MODE, REGISTRIES, HOST_RULES, ALIASES, UPSTREAM_PROXY, UPSTREAM_CA, TOTAL_BUDGET);

    /// The network of the set-up, in which nothing is granted.
    static final Group<NetSection> SETUP_NET = Group.of(
            "a mapping with mode, registries, hosts or aliases",
            OF_BOTH_PHASES,
            values -> section(values, Optional.empty(), Optional.empty()));

    static final Group<NetSection> NET = Group.of(
            "a mapping with mode, registries, hosts or aliases",
            Stream.concat(OF_BOTH_PHASES.stream(), Stream.of(MAY_GRANT, PUBLISH))
                    .toList(),
            values -> section(values, values.find(MAY_GRANT), values.find(PUBLISH)));

    private static final GroupKey<String> NAME = GroupKey.required(
            "name",
            ScalarShape.text("the name of a secret", "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$", (_, text) -> text),
            "The secret's name in the store.");
    private static final GroupKey<String> ENV = GroupKey.optional(
            "env",
            ScalarShape.text(
                    "the name of an environment variable", "^[A-Za-z_][A-Za-z0-9_]{0,127}$", (_, text) -> text),
            "The variable that holds the decoy in the cage.");
    private static final GroupKey<List<String>> USE_WITH = GroupKey.required(
            "use_with", new OneOrMany<>(HOSTS), "The hosts or aliases it may be sent to; [] means nowhere.");
    private static final GroupKey<List<Credential.Place>> IN = GroupKey.optional(
            "in",
            new OneOrMany<>(new ListShape<>(
                    "a list of places",
                    ScalarShape.word(List.of("header", "query", "path", "body"), Credential.Place::parse))),
            "The parts of a request it may stand in; absent means the header.");

    private static final GroupKey<List<Credential.Prepared>> PREPARE = GroupKey.optional(
            "prepare",
            new OneOrMany<>(new ListShape<>(
                    "a list of files",
                    ScalarShape.word(List.of("netrc", "npmrc", "pip", "git"), Credential.Prepared::parse))),
            "Files of the cage's home, or git's helper, that hold the decoy for those hosts; absent means none.");

    private static final GroupKey<String> LOGIN_HOST = GroupKey.required(
            "host",
            ScalarShape.text(
                    "a host name",
                    "^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$",
                    (_, text) -> new HostName(text).value()),
            "The host of the token end point; no pattern.");
    private static final GroupKey<String> LOGIN_PATH = GroupKey.required(
            "path", ScalarShape.text("a path such as /oauth/token", "^/", (_, text) -> text), "Its path.");
    private static final GroupKey<List<String>> LOGIN_TOKENS = GroupKey.optional(
            "tokens",
            new ListShape<>(
                    "a list of members",
                    ScalarShape.text("a member such as access_token", "^[A-Za-z]", (_, text) -> text),
                    1),
            "The members of its answer that are tokens; absent means access_token, refresh_token and id_token.");
    private static final GroupKey<String> LOGIN_REVOKE = GroupKey.optional(
            "revoke",
            ScalarShape.text("a path such as /oauth/revoke", "^/", (_, text) -> text),
            "The path at that host where tokens are given back.");
    private static final GroupKey<Credential.Login> LOGIN = GroupKey.optional(
            "login",
            Group.of(
                    "a mapping with host and path",
                    List.of(LOGIN_HOST, LOGIN_PATH, LOGIN_TOKENS, LOGIN_REVOKE),
                    values -> new Credential.Login(
                            values.get(LOGIN_HOST),
                            values.get(LOGIN_PATH),
                            values.find(LOGIN_TOKENS).orElse(Credential.Login.USUAL),
                            values.find(LOGIN_REVOKE))),
            "Where a client in the cage logs in: its tokens become decoys, and their values are kept outside.");

    private static final GroupKey<Credential.Signing.Purpose> PURPOSE = GroupKey.required(
            "purpose",
            ScalarShape.text("git", "^git$", Credential.Signing.Purpose::parse),
            "What it signs: git's commits and tags.");
    private static final GroupKey<String> SIGNING_KEY = GroupKey.optional(
            "key",
            ScalarShape.visibleText("a fingerprint, a comment or a public key"),
            "Which key of your ssh agent; absent means the only one.");
    private static final GroupKey<Credential.Signing> SIGN = GroupKey.optional(
            "sign",
            Group.of(
                    "a mapping with purpose",
                    List.of(PURPOSE, SIGNING_KEY),
                    values -> new Credential.Signing(values.get(PURPOSE), values.find(SIGNING_KEY))),
            "A key that signs, is with your ssh agent, and is never lent.");

    static final ListShape<Credential> CREDENTIALS = new ListShape<>(
            "a list of credentials",
            Group.of(
                    "a mapping with name and use_with",
                    List.of(NAME, ENV, USE_WITH, IN, PREPARE, LOGIN, SIGN),
                    values -> new Credential(
                            values.get(NAME),
                            values.find(ENV),
                            values.get(USE_WITH),
                            values.find(IN),
                            values.find(PREPARE).orElse(List.of()),
                            values.find(LOGIN),
                            values.find(SIGN))));

    private NetShape() {}

    private static NetSection section(
            GroupValues values, Optional<List<NetSection.MayGrant>> mayGrant, Optional<List<Integer>> publish) {
        return new NetSection(
                values.find(MODE),
                values.find(REGISTRIES),
                values.find(HOST_RULES),
                values.find(ALIASES).orElse(Map.of()),
                new Upstream(values.find(UPSTREAM_PROXY), values.find(UPSTREAM_CA)),
                values.find(TOTAL_BUDGET).orElse(Budget.UNLIMITED),
                mayGrant,
                publish);
    }

    private static HostRule hostRule(GroupValues values) {
        return new HostRule(
                values.find(HOST)
                        .<HostRule.Target>map(HostRule.Target.Host::new)
                        .orElseGet(() -> new HostRule.Target.Alias(values.get(ALIAS))),
                values.find(ALLOWED_METHODS),
                values.find(ALLOWED_PATHS),
                values.find(PORT),
                values.find(PROTOCOL).orElse(HostRule.Protocol.HTTP),
                values.find(ADDRESSES),
                values.find(INSPECT).orElse(HostRule.Inspection.OPENED),
                values.find(HOST_CA),
                values.find(HOST_BUDGET).orElse(Budget.UNLIMITED));
    }

    /// Text as it stands: what it means is read again by the engine, with the aliases it knows.
    private static String host(String field, String text) {
        HostPattern.parse(field, text);
        return text;
    }

    private static String path(String field, String text) {
        PathPattern.parse(field, text);
        return ScalarShape.visible(field, text, "a path such as /api/**");
    }

    private static String method(String field, String text) {
        return matching(field, text, "[A-Za-z][A-Za-z-]{0,31}", "an HTTP method such as GET");
    }

    private static String address(String field, String text) {
        return matching(
                field,
                text,
                "[0-9a-fA-F:.]{2,45}(/[0-9]{1,3})?",
                "an IP address, or one with a prefix length such as 10.0.0.0/8");
    }

    private static String registry(String field, String text) {
        return matching(field, text, "[a-z0-9][a-z0-9-]{0,62}", "a package tool such as npm");
    }

    private static String alias(String field, String text) {
        return matching(
                field, text, "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", "a name of lower-case letters, digits and '-'");
    }

    private static String matching(String field, String text, String pattern, String expected) {
        if (!text.matches(pattern)) {
            throw Field.refusal(field, text, expected);
        }
        return text;
    }
}
