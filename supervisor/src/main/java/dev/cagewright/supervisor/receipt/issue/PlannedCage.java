package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.supervisor.receipt.CageStated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a receipt says of a cage and of a program in it before either is there.
final class PlannedCage {
    private PlannedCage() {}

    /// The names of the variables that a program gets, sorted. Values are nowhere.
    static List<String> variables(Launch launch) {
        return launch.environment().stream()
                .map(PlannedCage::name)
                .sorted()
                .map(ByteString::printable)
                .toList();
    }

    private static ByteString name(ByteString variable) {
        var bytes = variable.toByteArray();
        int end = 0;
        while (end < bytes.length && bytes[end] != '=') {
            end++;
        }
        return ByteString.copyOf(Arrays.copyOf(bytes, end));
    }

    /// What a cage has of the host besides the system.
    static List<CageStated.Place> places(CageSpec spec) {
        var found = new ArrayList<CageStated.Place>();
        var workspace = spec.workspace();
        found.add(place(spec, workspace.path(), "host " + workspace.path().printable(), workspace.access()));
        for (Mount mount : spec.mounts()) {
            found.add(place(spec, ByteString.of(mount.at().value()), source(mount), mount.access()));
        }
        return List.copyOf(found);
    }

    private static CageStated.Place place(CageSpec spec, ByteString at, String source, Access access) {
        boolean isCopy = spec.diversions().stream().anyMatch(one -> one.at().equals(at));
        return new CageStated.Place(at.printable(), isCopy ? "copy of " + source : source, word(access));
    }

    private static String source(Mount mount) {
        return switch (mount.source()) {
            case Mount.HostPath(ByteString path) -> "host " + path.printable();
            case Mount.Looked(var directory) -> "host " + directory.path().printable();
            case Mount.Tmpfs _ -> "memory";
            case Mount.Text _ -> "text of the product";
        };
    }

    private static String word(Access access) {
        return switch (access) {
            case READ_ONLY -> "ro";
            case READ_WRITE -> "rw";
        };
    }
}
