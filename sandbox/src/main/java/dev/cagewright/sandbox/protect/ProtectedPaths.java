package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.files.RelativePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Answers for single paths of one workspace whether they belong to the hard-deny tier, also where nothing stands
/// yet: for what is written into the workspace from outside of a cage. Stricter than the masks: a name counts
/// whatever its case, in every directory. Immutable.
public final class ProtectedPaths {
    private static final Set<String> GIT_FILES = Set.of("config", "config.worktree", "commondir");
    private static final Set<String> GIT_NESTS = Set.of("modules", "worktrees");

    private final Set<ProtectionGroup> waived;
    private final List<RelativePath> found;

    private ProtectedPaths(Set<ProtectionGroup> waived, List<RelativePath> found) {
        this.waived = Set.copyOf(waived);
        this.found = List.copyOf(found);
    }

    /// Why a path is protected.
    ///
    /// @param group by which it can be waived; empty if the workspace's git configuration or the person's home
    ///     directory say so
    public record Reason(Optional<ProtectionGroup> group) {
        /// What it is and what lifts it.
        public String sentence() {
            return group.map(one -> "protected (" + one.id() + "); --waive " + one.id() + " lifts it")
                    .orElse("protected by this workspace's git configuration or your home directory; --waive lifts it"
                            + " by group (" + ProtectionGroup.names() + ")");
        }
    }

    /// Looks at the workspace as it is now, like [ProtectionPlan#scan].
    ///
    /// @throws IOException if the workspace cannot be read
    public static ProtectedPaths of(ProtectionRequest request) throws IOException {
        var plan = ProtectionPlan.scan(request);
        var found = new ArrayList<RelativePath>();
        for (Mask mask : plan.masks()) {
            if (mask.kind() != Mask.Kind.PIN) {
                found.add(new RelativePath(mask.path()));
            }
        }
        return new ProtectedPaths(request.waived(), found);
    }

    /// Why `path` is protected; empty if it is not, or what protects it is waived.
    public Optional<Reason> reason(RelativePath path) {
        var group = groupOf(path);
        if (group.isPresent() && !waived.contains(group.get())) {
            return Optional.of(new Reason(group));
        }
        if (group.isEmpty() && found.stream().anyMatch(path::isWithin)) {
            return Optional.of(new Reason(Optional.empty()));
        }
        return Optional.empty();
    }

    /// The group that `path` belongs to by its names alone, wherever it is.
    public static Optional<ProtectionGroup> groupOf(RelativePath path) {
        var names =
                path.names().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        var inGit = groupInGit(names);
        if (inGit.isPresent()) {
            return inGit;
        }
        return ProtectedName.TABLE.stream()
                .filter(row -> isNamed(row, names))
                .map(ProtectedName::group)
                .findFirst();
    }

    private static boolean isNamed(ProtectedName row, List<String> names) {
        var wanted = List.of(row.path().toLowerCase(Locale.ROOT).split("/", -1));
        int last = row.reach() == ProtectedName.Reach.HOME ? 0 : names.size() - wanted.size();
        for (int from = 0; from <= last; from++) {
            if (from + wanted.size() <= names.size() && matches(wanted, names.subList(from, from + wanted.size()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(List<String> wanted, List<String> names) {
        for (int i = 0; i < wanted.size(); i++) {
            var pattern = wanted.get(i);
            boolean fits = pattern.startsWith("*")
                    ? names.get(i).endsWith(pattern.substring(1))
                    : names.get(i).equals(pattern);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static Optional<ProtectionGroup> groupInGit(List<String> names) {
        if (endsWith(names, ".hg", "hgrc") || endsWith(names, "repo", "config.toml")) {
            return Optional.of(ProtectionGroup.GIT_CONFIG);
        }
        int git = names.indexOf(".git");
        if (git < 0 || git == names.size() - 1) {
            return Optional.empty();
        }
        var below = names.subList(git + 1, names.size());
        boolean nested = GIT_NESTS.contains(below.getFirst());
        if (below.getFirst().equals("hooks") || (nested && below.contains("hooks"))) {
            return Optional.of(ProtectionGroup.GIT_HOOKS);
        }
        var last = below.getLast();
        boolean isConfig = (below.size() == 1 || nested) && GIT_FILES.contains(last);
        return isConfig || endsWith(below, "info", "attributes")
                ? Optional.of(ProtectionGroup.GIT_CONFIG)
                : Optional.empty();
    }

    private static boolean endsWith(List<String> names, String parent, String name) {
        return names.size() > 1
                && names.getLast().equals(name)
                && names.get(names.size() - 2).equals(parent);
    }
}
