package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.kernel.HostFiles;
import dev.cagewright.sandbox.kernel.KernelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A cage's file tree as a list of steps in the one order that is right: what lies higher comes first, and
/// the masks come last, each behind the pins of the directories above it.
public final class FileTree {
    private static final int MAX_ENTRIES = 8192;

    private final CageUser user;
    private final HostDirectory workspace;
    private final List<Diversion> diversions;
    private final Map<ByteString, Entry> places = new LinkedHashMap<>();
    private final Map<ByteString, Entry> layers = new HashMap<>();

    private FileTree(CageUser user, HostDirectory workspace, List<Diversion> diversions) {
        this.user = user;
        this.workspace = workspace;
        this.diversions = diversions;
    }

    public static List<Entry> of(CageSpec spec, CageUser user) throws ConfinementException {
        var tree = new FileTree(user, spec.workspace(), spec.diversions());
        SystemTree.entries(user, spec.hostname(), spec.netCell())
                .forEach(entry -> tree.places.put(entry.target(), entry));
        tree.addWorkspace();
        for (var mount : spec.mounts()) {
            tree.addMount(mount);
        }
        var ordered = tree.inOrder();
        ordered.addAll(MaskPlan.of(spec.workspace(), spec.masks()));
        if (ordered.size() > MAX_ENTRIES) {
            throw new ConfinementException(
                    "masks",
                    "plan(" + ordered.size() + " mounts)",
                    "at most " + MAX_ENTRIES,
                    "protect a directory instead of many files in it");
        }
        return List.copyOf(ordered);
    }

    /// What lies higher comes first, and the layers of an overlay right before it.
    private List<Entry> inOrder() {
        var sorted = new ArrayList<>(places.values());
        sorted.sort(Comparator.comparingInt(Entry::depth).thenComparing(Entry::target));
        var ordered = new ArrayList<Entry>();
        for (var entry : sorted) {
            var below = layers.get(entry.target());
            if (below != null) {
                ordered.add(below);
            }
            ordered.add(entry);
        }
        return ordered;
    }

    private void addWorkspace() throws ConfinementException {
        for (var entry : places.values()) {
            if (entry.isWithin(workspace.path()) || workspace.path().latin1().equals("/")) {
                throw unsuitableWorkspace();
            }
        }
        for (var kernels : List.of("/proc", "/dev", "/sys")) {
            if ((workspace.path().latin1() + "/").startsWith(kernels + "/")) {
                throw unsuitableWorkspace();
            }
        }
        add(workspace.path(), workspace.path(), workspace.access(), workspace.identity());
    }

    private ConfinementException unsuitableWorkspace() {
        return new ConfinementException(
                "workspace",
                "mount(" + workspace.path() + ")",
                "it holds places that belong to the system",
                "name the project's own directory as the workspace");
    }

    private void addMount(Mount mount) throws ConfinementException {
        var target = ByteString.copyOf(mount.at().value().getBytes(StandardCharsets.UTF_8));
        switch (mount.source()) {
            case Mount.Tmpfs tmpfs ->
                places.put(
                        target,
                        new Entry(
                                Entry.Kind.TMPFS,
                                flags(mount.access()),
                                target,
                                ByteString.of(""),
                                Optional.empty(),
                                tmpfs.bytes()));
            case Mount.Text(var content) ->
                places.put(target, new Entry(Entry.Kind.FILE, 0, target, content, Optional.empty(), /* size= */ 0));
            case Mount.Looked(var directory) -> addLooked(target, directory, mount.access());
            case Mount.HostPath(var path) -> {
                try {
                    var canonical = HostFiles.canonical(path);
                    var status = HostFiles.status(canonical);
                    var identity =
                            new HostDirectory.Identity(status.device(), status.inode(), status.owner(), status.group());
                    add(target, canonical, mount.access(), identity);
                } catch (KernelException e) {
                    var refusal = new ConfinementException(
                            "mounts", e.call(), e.reason(), "create it, or take the mount out of the policy");
                    refusal.initCause(e);
                    throw refusal;
                }
            }
        }
    }

    /// Shown as the cage's own even where it can only be read: it is the product's choice, not a policy's.
    private void addLooked(ByteString target, HostDirectory directory, Access access) {
        int mapped = user.mustBeMappedFor(directory.identity()) ? Entry.IDMAP : 0;
        places.put(
                target,
                Entry.bind(target, directory.path(), flags(access) | mapped, Optional.of(directory.identity())));
    }

    private void add(ByteString target, ByteString source, Access access, HostDirectory.Identity identity)
            throws ConfinementException {
        int mapped = access == Access.READ_WRITE && user.mustBeMappedFor(identity) ? Entry.IDMAP : 0;
        var bound = Entry.bind(target, source, flags(access) | mapped, Optional.of(identity));
        var diverted = diversions.stream()
                .filter(diversion -> diversion.at().equals(target))
                .findFirst();
        if (diverted.isPresent()) {
            divert(bound, diverted.get(), mapped);
        } else {
            places.put(target, bound);
        }
    }

    /// What is in the folder belongs to whom the place belongs to, so it is mapped as that is.
    private void divert(Entry place, Diversion diversion, int mapped) throws ConfinementException {
        var folder = diversion.folder();
        var owner = place.identity().orElseThrow();
        if ((folder.path().latin1() + "/").startsWith(place.source().latin1() + "/")) {
            throw new ConfinementException(
                    "copy",
                    "divert(" + place.source() + ")",
                    "it holds the folder of its own copy, " + folder.path(),
                    "choose another --workspace, or keep the state elsewhere (XDG_STATE_HOME)");
        }
        var owned = new HostDirectory.Identity(
                folder.identity().device(), folder.identity().inode(), owner.owner(), owner.group());
        var writable = Entry.bind(place.target(), folder.path(), Entry.WRITABLE | mapped, Optional.of(owned));
        switch (diversion.kind()) {
            case REPLACEMENT -> places.put(place.target(), writable);
            case OVERLAY -> {
                layers.put(place.target(), writable.as(Entry.Kind.LAYERS, Entry.WRITABLE | mapped));
                places.put(place.target(), place.as(Entry.Kind.OVERLAY, mapped));
            }
        }
    }

    private static int flags(Access access) {
        return access == Access.READ_WRITE ? Entry.WRITABLE : 0;
    }

    static Entry masked(Mask mask, ByteString target) {
        return switch (mask.kind()) {
            case READ_ONLY -> Entry.at(Entry.Kind.MASK_READ_ONLY, target);
            case HIDDEN -> Entry.at(Entry.Kind.MASK_HIDDEN, target);
            case PIN -> Entry.at(Entry.Kind.PIN, target);
            case LINK -> Entry.maskedByLink(target, mask.text());
        };
    }
}
