package dev.cagewright.policy.engine;

import dev.cagewright.policy.argv.ExecAllowlist;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.mcp.McpDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// What a change of a cage's own policy changes. It may name as new what was allowed before by several rules together;
/// it never leaves out anything that is newly allowed.
public final class PolicyDiff {

    /// Which way a change goes.
    public enum Effect {
        NEWLY_ALLOWED,
        NEWLY_DENIED
    }

    /// One change.
    ///
    /// @param field the section it is about, e.g. `net.hosts`
    /// @param subject what is allowed or denied, for people
    public record Change(Effect effect, String field, String subject) {
        /// E.g. `+ net.hosts: GET api.github.com:443 /repos/**`.
        @Override
        public String toString() {
            return (effect == Effect.NEWLY_ALLOWED ? "+ " : "- ") + field + ": " + subject;
        }
    }

    private final List<Change> changes = new ArrayList<>();

    private PolicyDiff() {}

    /// What is newly allowed and newly denied when `after` takes the place of `before`.
    ///
    /// @throws BadPolicyException if one of them cannot be compiled
    public static List<Change> between(PolicyDocument before, PolicyDocument after, Terms terms)
            throws BadPolicyException {
        var diff = new PolicyDiff();
        diff.oneWay(Effect.NEWLY_ALLOWED, before, after, terms);
        diff.oneWay(Effect.NEWLY_DENIED, after, before, terms);
        diff.limits(before, after);
        diff.budgets(before, after);
        diff.strength(before, after);
        diff.inspection(
                before.inspect().orElse(InspectSection.SILENT), after.inspect().orElse(InspectSection.SILENT));
        return List.copyOf(diff.changes);
    }

    private void add(Effect effect, String field, String subject) {
        changes.add(new Change(effect, field, subject));
    }

    /// What `more` allows and `less` does not.
    private void oneWay(Effect effect, PolicyDocument less, PolicyDocument more, Terms terms)
            throws BadPolicyException {
        NetDiff.between(CompiledPolicy.compile(less, terms), CompiledPolicy.compile(more, terms))
                .forEach(subject -> add(effect, "net.hosts", subject));
        NetDiff.between(CompiledPolicy.compile(setup(less), terms), CompiledPolicy.compile(setup(more), terms))
                .forEach(subject -> add(effect, "phases.setup.net.hosts", subject));
        missing(setupCommand(more), setupCommand(less))
                .forEach(command -> add(effect, "phases.setup.command", command));
        missing(grantable(more), grantable(less)).forEach(entry -> add(effect, "net.may_grant", entry));
        missing(published(more), published(less)).forEach(port -> add(effect, "net.publish", port));
        programs(effect, less, more);
        missing(variables(more), variables(less)).forEach(name -> add(effect, "exec.env", name));
        mounts(effect, less, more);
        missing(hidden(less), hidden(more)).forEach(hidden -> add(effect, "fs.hide", hidden + " is seen"));
        missing(waived(more), waived(less)).forEach(name -> add(effect, "fs.waive", name));
        missing(uses(more), uses(less)).forEach(use -> add(effect, "credentials", use));
        McpDiff.opened(less.mcp(), more.mcp()).forEach(opened -> add(effect, opened.field(), opened.subject()));
        missing(questions(less), questions(more))
                .forEach(question -> add(effect, "approval.require_for", question + " without asking"));
    }

    private static List<String> grantable(PolicyDocument document) {
        return document.net().flatMap(NetSection::mayGrant).orElse(List.of()).stream()
                .map(NetSection.MayGrant::toString)
                .toList();
    }

    private static List<String> published(PolicyDocument document) {
        return document.net().flatMap(NetSection::publish).orElse(List.of()).stream()
                .map(port -> "port " + port)
                .toList();
    }

    private static PolicyDocument setup(PolicyDocument document) {
        return document.phases().isPresent() ? document.duringSetup() : PolicyDocument.EMPTY;
    }

    private static List<String> setupCommand(PolicyDocument document) {
        return document.phases().map(phases -> String.join(" ", phases.setup().command())).stream()
                .toList();
    }

    private void programs(Effect effect, PolicyDocument less, PolicyDocument more) {
        var before = less.exec().flatMap(ExecSection::allowlist);
        var after = more.exec().flatMap(ExecSection::allowlist);
        if (before.isPresent() && after.isEmpty()) {
            add(effect, "exec.allowlist", "any program");
        } else if (before.isPresent() && after.isPresent()) {
            var allowed = new ExecAllowlist(before.get());
            after.get().stream()
                    .filter(name -> !allowed.allows(name))
                    .forEach(name -> add(effect, "exec.allowlist", name));
        }
    }

    private void mounts(Effect effect, PolicyDocument less, PolicyDocument more) {
        var before = mountsOf(less);
        for (Mount mount : mountsOf(more)) {
            boolean isThere = before.stream()
                    .anyMatch(other -> other.path().equals(mount.path())
                            && other.source().equals(mount.source())
                            && other.mode().compareTo(mount.mode()) >= 0);
            if (!isThere) {
                add(effect, "fs.mounts", mount.path() + " " + mount.mode().word() + " from " + mount.source());
            }
        }
        var after = mountsOf(more);
        before.stream()
                .filter(inner -> after.stream().noneMatch(other -> other.path().equals(inner.path())))
                .filter(inner -> after.stream().anyMatch(outer -> inner.path().isWithin(outer.path())))
                .forEach(inner -> add(effect, "fs.mounts", inner.path() + " as its surroundings are"));
    }

    private static List<Mount> mountsOf(PolicyDocument document) {
        return document.fs().flatMap(FsSection::mounts).orElse(List.of());
    }

    private static List<String> variables(PolicyDocument document) {
        return document.exec().flatMap(ExecSection::env).orElse(List.of());
    }

    private static List<String> hidden(PolicyDocument document) {
        return document.fs().map(FsSection::hide).orElse(List.of()).stream()
                .map(Objects::toString)
                .toList();
    }

    private static List<String> waived(PolicyDocument document) {
        return document.fs().map(FsSection::waive).orElse(List.of());
    }

    private static List<String> uses(PolicyDocument document) {
        return document.credentials().orElse(List.of()).stream()
                .flatMap(credential -> Stream.concat(
                        credential.useWith().stream()
                                .flatMap(host -> credential.places().stream()
                                        .map(Credential.Place::word)
                                        .map(place -> credential.name() + " to " + host + " in the " + place)),
                        Stream.concat(credential.login().stream(), credential.sign().stream())
                                .map(from -> from instanceof Credential.Login
                                        ? credential.name() + " by logging in at " + from
                                        : credential.name() + " " + from)))
                .toList();
    }

    private static List<String> questions(PolicyDocument document) {
        return document.approval().map(ApprovalSection::requireFor).orElse(List.of()).stream()
                .map(condition -> condition.action()
                        + condition
                                .methods()
                                .map(list -> " " + String.join(" ", list))
                                .orElse("")
                        + condition
                                .hosts()
                                .map(list -> " " + String.join(" ", list))
                                .orElse("")
                        + condition
                                .paths()
                                .map(list -> " " + String.join(" ", list))
                                .orElse("")
                        + condition
                                .names()
                                .map(list -> " " + String.join(" ", list))
                                .orElse(""))
                .toList();
    }

    private static List<String> missing(List<String> of, List<String> in) {
        return of.stream().filter(element -> !in.contains(element)).distinct().toList();
    }

    private void limits(PolicyDocument before, PolicyDocument after) {
        limit(before, after, "cpus", Resources::cpus);
        limit(before, after, "memory", Resources::memory);
        limit(before, after, "processes", Resources::processes);
        limit(before, after, "timeout", Resources::timeout);
        limit(before, after, "output", Resources::output);
        limit(before, after, "disk", Resources::disk);
        limit(before, after, "files", Resources::files);
    }

    /// No limit is more than any limit.
    private <T extends Comparable<T>> void limit(
            PolicyDocument before, PolicyDocument after, String name, Function<Resources, Optional<T>> value) {
        var old = before.resources().flatMap(value);
        var now = after.resources().flatMap(value);
        if (old.equals(now)) {
            return;
        }
        boolean isMore = old.isPresent() && (now.isEmpty() || now.get().compareTo(old.get()) > 0);
        add(
                isMore ? Effect.NEWLY_ALLOWED : Effect.NEWLY_DENIED,
                "resources." + name,
                old.map(Object::toString).orElse("no limit") + " becomes "
                        + now.map(Object::toString).orElse("no limit"));
    }

    private void budgets(PolicyDocument before, PolicyDocument after) {
        for (var measure : Budget.Measure.values()) {
            var old = budget(before).rate(measure);
            var now = budget(after).rate(measure);
            if (!old.equals(now)) {
                add(
                        NetDiff.coversRate(old, now) ? Effect.NEWLY_DENIED : Effect.NEWLY_ALLOWED,
                        "net.budget." + measure.word(),
                        old.map(measure::text).orElse("no limit") + " becomes "
                                + now.map(measure::text).orElse("no limit"));
            }
        }
    }

    private static Budget budget(PolicyDocument document) {
        return document.net().map(NetSection::budget).orElse(Budget.UNLIMITED);
    }

    private void strength(PolicyDocument before, PolicyDocument after) {
        var old = before.minIsolation().orElse(Isolation.NAMESPACES);
        var now = after.minIsolation().orElse(Isolation.NAMESPACES);
        if (old != now) {
            add(
                    old.isAtLeast(now) ? Effect.NEWLY_ALLOWED : Effect.NEWLY_DENIED,
                    "min_isolation",
                    old.word() + " becomes " + now.word());
        }
        var oldMode = before.mode().orElse(Mode.ENFORCE);
        var nowMode = after.mode().orElse(Mode.ENFORCE);
        if (oldMode != nowMode) {
            add(
                    nowMode.compareTo(oldMode) < 0 ? Effect.NEWLY_ALLOWED : Effect.NEWLY_DENIED,
                    "mode",
                    oldMode.word() + " becomes " + nowMode.word());
        }
    }

    private void inspection(InspectSection before, InspectSection after) {
        for (var key : InspectSection.REACTIONS) {
            var old = key.in(before);
            var now = key.in(after);
            if (old != now) {
                add(
                        now.compareTo(old) < 0 ? Effect.NEWLY_ALLOWED : Effect.NEWLY_DENIED,
                        "inspect." + key.name(),
                        old.word() + " becomes " + now.word());
            }
        }
        looser("inspect.entropy", before.entropy(), after.entropy());
        looser(
                "inspect.decoys",
                before.decoys().map(InspectSection.Misuse::word),
                after.decoys().map(InspectSection.Misuse::word));
        looser("inspect.body.max", before.bodyMax(), after.bodyMax());
        var jars = before.custom().orElse(List.of());
        var jarsNow = after.custom().orElse(List.of());
        missing(jars, jarsNow).forEach(jar -> add(Effect.NEWLY_ALLOWED, "inspect.custom", "what " + jar + " stops"));
        missing(jarsNow, jars).forEach(jar -> add(Effect.NEWLY_DENIED, "inspect.custom", "what " + jar + " stops"));
    }

    /// A bound that is there denies what none does; another one may do either.
    private void looser(String field, Optional<?> old, Optional<?> now) {
        if (old.equals(now)) {
            return;
        }
        var change = old.map(Object::toString).orElse("none") + " becomes "
                + now.map(Object::toString).orElse("none");
        if (old.isPresent()) {
            add(Effect.NEWLY_ALLOWED, field, change);
        }
        if (now.isPresent()) {
            add(Effect.NEWLY_DENIED, field, change);
        }
    }
}
