package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.match.MountTable;
import dev.cagewright.policy.match.NameTable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The file rules of one document, compiled: the innermost mount decides, hidden things are not there at all.
final class FsRules {
    private static final Decision OUTSIDE =
            new Decision.Deny(Rules.DEFAULT, DenyCode.NO_RULE, "the path lies in no mount of fs.mounts");
    private static final Decision SILENT = new Decision.Allow(Rules.SILENT);
    private static final String ANYWHERE = "**/";

    private final List<Mount> mounts;
    private final MountTable mountTable;
    private final MountTable hiddenPaths;
    private final NameTable hiddenNames;
    private final Decision[] hiddenByPath;
    private final Decision[] hiddenByName;
    private final Decision[] allow;
    private final Decision[] readOnly;
    private final Decision outside;

    private FsRules(List<Mount> mounts, List<HidePattern> hide, Decision outside) {
        this.mounts = List.copyOf(mounts);
        this.outside = outside;
        this.mountTable = MountTable.of(mounts.stream().map(Mount::path).toList());
        this.allow = mountDecisions(Decision.Allow::new);
        this.readOnly = mountDecisions(rule ->
                new Decision.Deny(rule, DenyCode.FORBIDDEN, rule + " is read-only: the path cannot be written"));
        var byName = indexes(hide, pattern -> pattern.value().startsWith(ANYWHERE));
        var byPath = indexes(hide, pattern -> !pattern.value().startsWith(ANYWHERE));
        this.hiddenNames = NameTable.of(byName.stream()
                .map(i -> hide.get(i).value().substring(ANYWHERE.length()))
                .toList());
        this.hiddenPaths = MountTable.of(
                byPath.stream().map(i -> new GuestPath(hide.get(i).value())).toList());
        this.hiddenByName = byName.stream().map(FsRules::hidden).toArray(Decision[]::new);
        this.hiddenByPath = byPath.stream().map(FsRules::hidden).toArray(Decision[]::new);
    }

    private Decision[] mountDecisions(Function<RuleId, Decision> make) {
        return IntStream.range(0, mounts.size())
                .mapToObj(i -> make.apply(Rules.at("fs.mounts", i)))
                .toArray(Decision[]::new);
    }

    private static List<Integer> indexes(List<HidePattern> hide, Predicate<HidePattern> wanted) {
        return IntStream.range(0, hide.size())
                .filter(i -> wanted.test(hide.get(i)))
                .boxed()
                .toList();
    }

    private static Decision hidden(int index) {
        var rule = Rules.at("fs.hide", index);
        return new Decision.Deny(rule, DenyCode.FORBIDDEN, rule + " hides the path");
    }

    static FsRules of(Optional<FsSection> section, Terms terms, Problems problems) {
        var mounts = section.flatMap(FsSection::mounts);
        mounts.ifPresent(list -> requireDistinct(list, problems));
        boolean abstains = mounts.isEmpty() && terms.silence() == Terms.Silence.ABSTAINS;
        return new FsRules(
                mounts.orElse(List.of()), section.map(FsSection::hide).orElse(List.of()), abstains ? SILENT : OUTSIDE);
    }

    private static void requireDistinct(List<Mount> mounts, Problems problems) {
        var seen = new HashSet<GuestPath>();
        for (int i = 0; i < mounts.size(); i++) {
            var path = mounts.get(i).path();
            if (!seen.add(path)) {
                var field = "fs.mounts[" + i + "].path";
                problems.add(field, field + ": \"" + path + "\" (expected: each path once)");
            }
        }
    }

    Decision read(GuestPath path) {
        var hidden = hiddenOrNull(path);
        int mount = mountTable.innermost(path);
        return hidden != null ? hidden : mount == MountTable.NONE ? outside : allow[mount];
    }

    Decision write(GuestPath path) {
        var hidden = hiddenOrNull(path);
        int mount = mountTable.innermost(path);
        if (hidden != null || mount == MountTable.NONE) {
            return hidden != null ? hidden : outside;
        }
        return mounts.get(mount).mode() == Mount.Access.RW ? allow[mount] : readOnly[mount];
    }

    private @Nullable Decision hiddenOrNull(GuestPath path) {
        int tree = hiddenPaths.innermost(path);
        if (tree != MountTable.NONE) {
            return hiddenByPath[tree];
        }
        int name = hiddenNames.firstWithin(path);
        return name == NameTable.NONE ? null : hiddenByName[name];
    }

    /// The mount that `path` lies in.
    Optional<Mount> mountOf(GuestPath path) {
        int mount = mountTable.innermost(path);
        return mount == MountTable.NONE ? Optional.empty() : Optional.of(mounts.get(mount));
    }
}
