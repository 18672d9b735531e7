package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.Origin;
import dev.cagewright.policy.document.Origins;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.mcp.McpSection;
import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.policy.mcp.ToolRule;
import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A policy document in the making, section by section, for tests.
public final class Draft {
    private Optional<Isolation> isolation = Optional.empty();
    private Optional<Mode> mode = Optional.empty();
    private Optional<NetSection.Reach> reach = Optional.empty();
    private Optional<List<HostRule>> hosts = Optional.empty();
    private Optional<List<String>> registries = Optional.empty();
    private Optional<List<NetSection.MayGrant>> mayGrant = Optional.empty();
    private Upstream upstream = Upstream.DIRECT;
    private Map<String, String> aliases = Map.of();
    private Optional<List<Mount>> mounts = Optional.empty();
    private List<String> waive = List.of();
    private List<HidePattern> hide = List.of();
    private Optional<List<Credential>> credentials = Optional.empty();
    private Optional<List<String>> programs = Optional.empty();
    private Optional<List<String>> variables = Optional.empty();
    private Optional<ApprovalSection> approval = Optional.empty();
    private Optional<Resources> resources = Optional.empty();
    private final Map<String, Origin> origins = new HashMap<>();

    /// Nothing yet.
    public Draft() {}

    public Draft isolation(Isolation least) {
        isolation = Optional.of(least);
        return this;
    }

    public Draft mode(Mode some) {
        mode = Optional.of(some);
        return this;
    }

    public Draft reach(NetSection.Reach some) {
        reach = Optional.of(some);
        return this;
    }

    public Draft hosts(HostRule... rules) {
        hosts = Optional.of(List.of(rules));
        return this;
    }

    /// How the gateway itself gets out.
    public Draft mayGrant(NetSection.MayGrant... entries) {
        mayGrant = Optional.of(Arrays.asList(entries));
        return this;
    }

    public Draft upstream(Upstream how) {
        upstream = how;
        return this;
    }

    public Draft registries(String... names) {
        registries = Optional.of(List.of(names));
        return this;
    }

    public Draft aliases(Map<String, String> some) {
        aliases = some;
        return this;
    }

    /// Mounts as `path mode source`.
    public Draft mounts(String... texts) {
        var all = new ArrayList<Mount>();
        for (String text : texts) {
            var parts = text.split(" ", 3);
            all.add(new Mount(
                    Mount.target("path", parts[0]),
                    Mount.Access.parse("mode", parts[1]),
                    Mount.Source.parse("source", parts[2])));
        }
        mounts = Optional.of(all);
        return this;
    }

    public Draft waive(String... names) {
        waive = List.of(names);
        return this;
    }

    public Draft hide(String... patterns) {
        hide = Arrays.stream(patterns)
                .map(text -> HidePattern.parse("fs.hide", text))
                .toList();
        return this;
    }

    public Draft credentials(Credential... some) {
        credentials = Optional.of(List.of(some));
        return this;
    }

    public Draft programs(String... names) {
        programs = Optional.of(List.of(names));
        return this;
    }

    public Draft variables(String... names) {
        variables = Optional.of(List.of(names));
        return this;
    }

    public Draft approval(ApprovalSection some) {
        approval = Optional.of(some);
        return this;
    }

    public Draft resources(Resources some) {
        resources = Optional.of(some);
        return this;
    }

    public Draft origin(String pointer, String file, int line) {
        origins.put(pointer, new Origin(file, line, 1));
        return this;
    }

    public PolicyDocument document() {
        boolean hasNet = !upstream.equals(Upstream.DIRECT)
                || reach.isPresent()
                || hosts.isPresent()
                || registries.isPresent()
                || mayGrant.isPresent()
                || !aliases.isEmpty();
        boolean hasFs = mounts.isPresent() || !waive.isEmpty() || !hide.isEmpty();
        boolean hasExec = programs.isPresent() || variables.isPresent();
        return new PolicyDocument(
                Optional.empty(),
                isolation,
                mode,
                Optional.empty(),
                hasFs ? Optional.of(new FsSection(mounts, waive, hide)) : Optional.empty(),
                hasNet
                        ? Optional.of(new NetSection(
                                reach,
                                registries,
                                hosts,
                                aliases,
                                upstream,
                                Budget.UNLIMITED,
                                mayGrant,
                                Optional.empty()))
                        : Optional.empty(),
                credentials,
                hasExec ? Optional.of(new ExecSection(programs, variables)) : Optional.empty(),
                approval,
                resources,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Origins(origins));
    }

    public CompiledPolicy compile() {
        try {
            return CompiledPolicy.compile(document());
        } catch (BadPolicyException e) {
            throw new AssertionError(e);
        }
    }

    /// A rule as `METHOD,METHOD host /path,/path`; `*` for all methods, no third word for all paths.
    public static HostRule rule(String text) {
        var parts = text.split(" ", 3);
        return new HostRule(
                new HostRule.Target.Host(parts[1]),
                parts[0].equals("*") ? Optional.empty() : Optional.of(List.of(parts[0].split(",", -1))),
                parts.length < 3 ? Optional.empty() : Optional.of(List.of(parts[2].split(",", -1))),
                Optional.empty(),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    /// What may be granted for at most half an hour, written as a rule.
    public static NetSection.MayGrant grantable(String text) {
        var rule = rule(text);
        return new NetSection.MayGrant(
                List.of(text.split(" ", 3)[1]),
                rule.methods(),
                rule.paths(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new TimeSpan(Duration.ofMinutes(30))));
    }

    public static HostRule alias(String name, String methods, String paths) {
        return new HostRule(
                new HostRule.Target.Alias(name),
                Optional.of(List.of(methods.split(",", -1))),
                Optional.of(List.of(paths.split(",", -1))),
                Optional.empty(),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    public static HostRule tcp(String host, int port) {
        return new HostRule(
                new HostRule.Target.Host(host),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(port)),
                HostRule.Protocol.TCP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    public static Credential secret(String name, String... hosts) {
        return new Credential(name, Optional.empty(), List.of(hosts), Optional.empty());
    }

    public static ApprovalSection asking(ApprovalSection.Condition... conditions) {
        return new ApprovalSection(Optional.empty(), List.of(conditions));
    }

    /// `document` with the change that `remedy` is.
    public static PolicyDocument with(PolicyDocument document, Remedy remedy) {
        return switch (remedy) {
            case Remedy.AddHost(HostRule rule) -> withHost(document, rule);
            case Remedy.OpenNetwork(Remedy.AddHost(HostRule rule)) -> withHost(document, rule);
            case Remedy.AddProgram(String program) -> {
                var list = new ArrayList<>(
                        document.exec().flatMap(ExecSection::allowlist).orElse(List.of()));
                list.add(program);
                yield withSections(
                        document,
                        document.fs(),
                        document.net(),
                        document.credentials(),
                        Optional.of(new ExecSection(
                                Optional.of(list), document.exec().flatMap(ExecSection::env))));
            }
            case Remedy.AddMount(GuestPath path, Remedy.AddMount.Access access) -> {
                var list =
                        new ArrayList<>(document.fs().flatMap(FsSection::mounts).orElse(List.of()));
                list.add(new Mount(
                        path,
                        access == Remedy.AddMount.Access.WRITE ? Mount.Access.RW : Mount.Access.RO,
                        new Mount.Source.Tmpfs()));
                yield withMounts(document, list);
            }
            case Remedy.MakeWritable(String rule) -> {
                int index = Integer.parseInt(rule.replaceAll("[^0-9]", ""));
                var list =
                        new ArrayList<>(document.fs().flatMap(FsSection::mounts).orElseThrow());
                list.set(
                        index,
                        new Mount(
                                list.get(index).path(),
                                Mount.Access.RW,
                                list.get(index).source()));
                yield withMounts(document, list);
            }
            case Remedy.RemoveLine(String rule) -> {
                var fs = document.fs().orElseThrow();
                var hide = new ArrayList<>(fs.hide());
                hide.remove(Integer.parseInt(rule.replaceAll("[^0-9]", "")));
                yield withSections(
                        document,
                        Optional.of(new FsSection(fs.mounts(), fs.waive(), hide)),
                        document.net(),
                        document.credentials(),
                        document.exec());
            }
            case Remedy.AddDestination(String name, String host) -> {
                var all = document.credentials().orElseThrow().stream()
                        .map(old -> {
                            var hosts = new ArrayList<>(old.useWith());
                            hosts.add(host);
                            return old.name().equals(name) ? new Credential(name, old.env(), hosts, old.in()) : old;
                        })
                        .toList();
                yield withSections(document, document.fs(), document.net(), Optional.of(all), document.exec());
            }
            case Remedy.AddCredential(String name, String host) -> {
                var all = new ArrayList<>(document.credentials().orElse(List.of()));
                all.add(secret(name, host));
                yield withSections(document, document.fs(), document.net(), Optional.of(all), document.exec());
            }
            case Remedy.AddTool(String server, String tool) -> {
                var mcp = document.mcp().orElse(McpSection.SILENT);
                var list = new ArrayList<>(mcp.tools().orElse(List.of()));
                var any = ToolRule.of(NamePattern.parse("mcp.tools", tool));
                list.add(new ToolRule(
                        any.tool(),
                        Optional.of(NamePattern.parse("mcp.tools", server)),
                        any.answer(),
                        any.arguments(),
                        any.paths(),
                        any.hosts()));
                yield document.withMcp(new McpSection(Optional.of(list), mcp.results(), mcp.requests()));
            }
            case Remedy.None _ -> document;
        };
    }

    private static PolicyDocument withHost(PolicyDocument document, HostRule rule) {
        var list = new ArrayList<>(document.net().flatMap(NetSection::hosts).orElse(List.of()));
        list.add(rule);
        var net = new NetSection(
                Optional.empty(),
                document.net().flatMap(NetSection::registries),
                Optional.of(list),
                document.net().map(NetSection::aliases).orElse(Map.of()),
                Upstream.DIRECT);
        return withSections(document, document.fs(), Optional.of(net), document.credentials(), document.exec());
    }

    private static PolicyDocument withMounts(PolicyDocument document, List<Mount> mounts) {
        var fs = new FsSection(
                Optional.of(mounts),
                List.of(),
                document.fs().map(FsSection::hide).orElse(List.of()));
        return withSections(document, Optional.of(fs), document.net(), document.credentials(), document.exec());
    }

    private static PolicyDocument withSections(
            PolicyDocument old,
            Optional<FsSection> fs,
            Optional<NetSection> net,
            Optional<List<Credential>> credentials,
            Optional<ExecSection> exec) {
        return new PolicyDocument(
                old.tool(),
                old.minIsolation(),
                old.mode(),
                old.command(),
                fs,
                net,
                credentials,
                exec,
                old.approval(),
                old.resources(),
                old.inspect(),
                old.capture(),
                Optional.empty(),
                old.mcp(),
                old.origins());
    }
}
