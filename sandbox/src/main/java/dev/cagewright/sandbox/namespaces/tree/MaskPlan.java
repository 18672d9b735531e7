package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mask;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Masks as mounts. A mount over an object does not keep the directories above it from being renamed, so
/// each of those becomes a mount of itself, up to the workspace; and what stands below something hidden cannot be
/// reached. Whoever masks a place below another mount pins what is between.
public final class MaskPlan {
    private MaskPlan() {}

    /// The entries, from the outside in, each with its place in the cage.
    public static List<Entry> of(HostDirectory workspace, List<Mask> masks) {
        var strongest = new TreeMap<ByteString, Mask>();
        for (var mask : masks) {
            strongest.merge(mask.path(), mask, MaskPlan::stronger);
            if (!mask.isElsewhere()) {
                pinAbove(mask.path(), strongest);
            }
        }
        var entries = new ArrayList<Entry>();
        strongest.forEach((path, mask) -> {
            if (!isBelowHidden(path, strongest)) {
                entries.add(FileTree.masked(mask, mask.isElsewhere() ? path : below(workspace.path(), path)));
            }
        });
        entries.sort(Comparator.comparingInt(Entry::depth).thenComparing(Entry::target));
        return entries;
    }

    private static Mask stronger(Mask one, Mask other) {
        return rank(one.kind()) >= rank(other.kind()) ? one : other;
    }

    private static int rank(Mask.Kind kind) {
        return switch (kind) {
            case PIN -> 0;
            case LINK -> 1;
            case READ_ONLY -> 2;
            case HIDDEN -> 3;
        };
    }

    private static void pinAbove(ByteString path, Map<ByteString, Mask> strongest) {
        for (var above : ancestors(path)) {
            strongest.putIfAbsent(above, new Mask(above, Mask.Kind.PIN));
        }
    }

    private static boolean isBelowHidden(ByteString path, Map<ByteString, Mask> strongest) {
        for (var above : ancestors(path)) {
            var there = strongest.get(above);
            if (there != null && there.kind() == Mask.Kind.HIDDEN) {
                return true;
            }
        }
        return false;
    }

    private static List<ByteString> ancestors(ByteString path) {
        var text = path.latin1();
        var found = new ArrayList<ByteString>();
        for (int slash = text.indexOf('/', 1); slash >= 0; slash = text.indexOf('/', slash + 1)) {
            found.add(bytes(text.substring(0, slash)));
        }
        return found;
    }

    private static ByteString below(ByteString workspace, ByteString path) {
        return bytes(workspace.latin1() + "/" + path.latin1());
    }

    private static ByteString bytes(String latin1) {
        return ByteString.copyOf(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }
}
