package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.Placeholder.Filler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A plan while it is made: what is masked, pinned, held free and told so far. For one thread.
final class PlanDraft {
    /// As many links as the kernel follows, path_resolution(7).
    private static final int LINK_LIMIT = 40;

    private static final int NOTICE_LIMIT = 200;
    private static final int CHILDREN_LIMIT = 200;
    private static final int MANIFEST_LIMIT = 2_000;

    private final Path root;
    private final ProtectionRequest request;
    private final NavigableMap<TreePath, Mask.Kind> masks = new TreeMap<>();
    private final Set<TreePath> links = new TreeSet<>();
    private final Map<TreePath, Placeholder> placeholders = new LinkedHashMap<>();
    private final Set<TreePath> watched = new TreeSet<>();
    private final Set<TreePath> repositories = new TreeSet<>();
    private final Set<TreePath> configs = new TreeSet<>();
    private final List<TreePath> manifests = new ArrayList<>();
    private final Map<String, Notice> notices = new LinkedHashMap<>();
    private boolean complete = true;
    private FixedNames.NamesAtTop top = FixedNames.NamesAtTop.UNKNOWN;

    PlanDraft(Path root, ProtectionRequest request) {
        this.root = root;
        this.request = request;
    }

    Path root() {
        return root;
    }

    /// What is known of the top for the next questions, until something else is.
    void knowing(FixedNames.NamesAtTop names) {
        top = names;
    }

    /// What stands at `at`.
    Shape shape(TreePath at) {
        return top.lack(at.latin1()) ? Shape.ABSENT : Shape.of(at.on(root));
    }

    boolean isWanted(ProtectionGroup group) {
        return !request.waived().contains(group);
    }

    Path home() {
        return request.home();
    }

    Optional<Path> repository() {
        return request.repository();
    }

    void tell(Notice.Kind kind, TreePath at, String sentence) {
        if (kind == Notice.Kind.BOUND_HIT) {
            complete = false;
        }
        if (notices.size() < NOTICE_LIMIT || kind == Notice.Kind.BOUND_HIT) {
            notices.putIfAbsent(kind + " " + at.latin1(), new Notice(kind, at.bytes(), sentence));
        }
    }

    void repository(TreePath gitFolder) {
        repositories.add(gitFolder);
    }

    /// A file that says what npm and its kin start.
    void manifest(TreePath at) {
        if (manifests.size() < MANIFEST_LIMIT) {
            manifests.add(at);
        }
    }

    /// A configuration file of git.
    void config(TreePath at) {
        configs.add(at);
    }

    /// Must not come into being, but no placeholder can stand there: looked at after the run.
    void watch(TreePath at) {
        watched.add(at);
    }

    /// Masks what stands at `at`, following links inside the workspace; tells what cannot be masked.
    ///
    /// @return whether something stands there
    boolean protect(TreePath at, Mask.Kind kind) {
        var landing = follow(at);
        if (landing.isEmpty()) {
            return true;
        }
        var end = landing.get();
        switch (shape(end)) {
            case ABSENT -> {
                return false;
            }
            case DIRECTORY, FILE -> mask(end, kind);
            case SOCKET, SPECIAL -> {
                mask(end, Mask.Kind.HIDDEN);
                tell(Notice.Kind.ODD_OBJECT, end, "is a pipe, socket or device under a protected name: hidden");
            }
            case LINK -> throw new IllegalStateException(end + ": link (expected: followed before)");
        }
        return true;
    }

    /// The same, and if nothing stands there, nothing may come into being.
    void protectOrHoldFree(TreePath at, Mask.Kind kind, Filler filler, ProtectionGroup group) {
        if (protect(at, kind) && !mayBePlaceholder(at, filler)) {
            return;
        }
        follow(at).flatMap(this::firstAbsentOrSame).ifPresent(free -> {
            var stand = free.equals(at) ? filler : Filler.DIRECTORY;
            placeholders.putIfAbsent(free, new Placeholder(free.bytes(), stand, group));
            masks.merge(free, Mask.Kind.READ_ONLY, PlanDraft::stronger);
        });
    }

    /// An empty directory, or a file like the filler, may be what another session holds free at this moment.
    private boolean mayBePlaceholder(TreePath at, Filler filler) {
        return switch (shape(at)) {
            case DIRECTORY -> filler == Filler.DIRECTORY && isEmpty(at.on(root));
            case FILE -> filler != Filler.DIRECTORY && sizeOf(at.on(root)) == filler.content().length;
            case LINK, SOCKET, SPECIAL, ABSENT -> false;
        };
    }

    private static long sizeOf(Path path) {
        try {
            return Files.size(path);
        } catch (IOException _) {
            return -1;
        }
    }

    private static boolean isEmpty(Path path) {
        try (var entries = Files.newDirectoryStream(path)) {
            return !entries.iterator().hasNext();
        } catch (IOException _) {
            return false;
        }
    }

    private Optional<TreePath> firstAbsentOrSame(TreePath end) {
        var at = TreePath.TOP;
        for (String name : end.names()) {
            at = at.child(name);
            switch (shape(at)) {
                case ABSENT -> {
                    return Optional.of(at);
                }
                case DIRECTORY -> {
                    // Empty: perhaps another session's placeholder, and a name below it would keep it from going.
                    if (isEmpty(at.on(root))) {
                        return Optional.of(at);
                    }
                }
                case FILE, LINK, SOCKET, SPECIAL -> {
                    return at.equals(end) ? Optional.of(end) : Optional.empty();
                }
            }
        }
        return Optional.of(end);
    }

    private void mask(TreePath at, Mask.Kind kind) {
        if (at.isTop()) {
            tell(Notice.Kind.UNPROTECTED, at, "is the workspace itself and a protected place: cannot be both");
            return;
        }
        masks.merge(at, kind, PlanDraft::stronger);
    }

    void hide(TreePath at) {
        mask(at, Mask.Kind.HIDDEN);
    }

    private static Mask.Kind stronger(Mask.Kind a, Mask.Kind b) {
        return a == Mask.Kind.HIDDEN || b == Mask.Kind.HIDDEN ? Mask.Kind.HIDDEN : Mask.Kind.READ_ONLY;
    }

    /// Where `path` leads within the workspace, each link on the way pinned; empty, and told, if it leaves the
    /// workspace or runs in a circle.
    Optional<TreePath> follow(TreePath path) {
        var rest = new ArrayDeque<>(path.names());
        var at = TreePath.TOP;
        int followed = 0;
        while (!rest.isEmpty()) {
            var next = at.child(rest.removeFirst());
            if (shape(next) != Shape.LINK) {
                at = next;
                continue;
            }
            links.add(next);
            var target = target(next).flatMap(next.parent()::resolveIn);
            if (target.isEmpty() || ++followed > LINK_LIMIT) {
                tell(
                        Notice.Kind.LINK_OUTSIDE,
                        next,
                        "is a protected name and a link that leads out of the workspace"
                                + " or nowhere: the link stays as it is, what is behind it was not looked at");
                return Optional.empty();
            }
            var names = new ArrayList<>(target.get().names());
            names.reversed().forEach(rest::addFirst);
            at = TreePath.TOP;
        }
        return Optional.of(at);
    }

    private Optional<TreePath.Within> target(TreePath link) {
        try {
            var text = Files.readSymbolicLink(link.on(root));
            var absolute = text.isAbsolute();
            var latin1 = TreePath.latin1Of(absolute ? text : Path.of("/").resolve(text));
            return Optional.of(new TreePath.Within(root, absolute ? latin1 : latin1.substring(1)));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// The masked files, and files in masked directories, that have a hard link elsewhere, by file key.
    Map<Object, Mask.Kind> filesOfSeveralNames() {
        var found = new HashMap<Object, Mask.Kind>();
        masks.forEach((at, kind) -> {
            noteIfShared(at.on(root), kind, found);
            if (Shape.of(at.on(root)) == Shape.DIRECTORY) {
                children(at.on(root)).forEach(child -> noteIfShared(child, kind, found));
            }
        });
        return found;
    }

    private static List<Path> children(Path directory) {
        try (var entries = Files.list(directory)) {
            return entries.limit(CHILDREN_LIMIT).toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static void noteIfShared(Path path, Mask.Kind kind, Map<Object, Mask.Kind> found) {
        try {
            var attributes = Files.readAttributes(path, "unix:nlink,isRegularFile,fileKey", LinkOption.NOFOLLOW_LINKS);
            var key = attributes.get("fileKey");
            if (key != null
                    && attributes.get("nlink") instanceof Integer names
                    && names > 1
                    && attributes.get("isRegularFile") instanceof Boolean regular
                    && regular) {
                found.merge(key, kind, PlanDraft::stronger);
            }
        } catch (IOException _) {
            return;
        }
    }

    ProtectionPlan finish() {
        var all = new TreeMap<TreePath, Mask.Kind>();
        masks.forEach((at, kind) -> {
            if (isNews(at, kind)) {
                all.put(at, kind);
            }
        });
        links.stream().filter(link -> !isFixed(link)).forEach(link -> all.putIfAbsent(link, Mask.Kind.PIN));
        List.copyOf(all.keySet()).forEach(at -> pinAbove(at, all));
        var list = all.entrySet().stream()
                .map(entry -> new Mask(entry.getKey().bytes(), entry.getValue()))
                .toList();
        var free =
                placeholders.values().stream().filter(one -> !isFixed(one.at())).toList();
        return new ProtectionPlan(root, list, free, atStart(all), List.copyOf(notices.values()), complete);
    }

    private ProtectionPlan.AtStart atStart(Map<TreePath, Mask.Kind> all) {
        return new ProtectionPlan.AtStart(
                watched, repositories, new ProtectionPlan.Files(ownConfigs(all), manifests), request.waived());
    }

    private Set<TreePath> ownConfigs(Map<TreePath, Mask.Kind> all) {
        var own = new TreeSet<TreePath>();
        for (TreePath at : configs) {
            boolean isFree = placeholders.containsKey(at) && Shape.of(at.on(root)) == Shape.ABSENT;
            if (all.get(at) == Mask.Kind.READ_ONLY && (isFree || isOfOneName(at.on(root)))) {
                own.add(at);
            }
        }
        return own;
    }

    private static boolean isOfOneName(Path path) {
        try {
            return Shape.of(path) == Shape.FILE
                    && Integer.valueOf(1).equals(Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS));
        } catch (IOException _) {
            return false;
        }
    }

    /// Does a mask add anything to those above it?
    private boolean isNews(TreePath at, Mask.Kind kind) {
        for (var above = at.parent(); !above.isTop(); above = above.parent()) {
            var there = masks.get(above);
            if (there == Mask.Kind.HIDDEN || (there == Mask.Kind.READ_ONLY && kind == Mask.Kind.READ_ONLY)) {
                return false;
            }
        }
        return true;
    }

    /// Is `at` below something masked, so that it cannot move anyway?
    private boolean isFixed(TreePath at) {
        for (var above = at.parent(); !above.isTop(); above = above.parent()) {
            if (masks.containsKey(above)) {
                return true;
            }
        }
        return false;
    }

    private void pinAbove(TreePath at, Map<TreePath, Mask.Kind> all) {
        if (isFixed(at)) {
            return;
        }
        for (var above = at.parent(); !above.isTop(); above = above.parent()) {
            all.putIfAbsent(above, Mask.Kind.PIN);
        }
    }
}
