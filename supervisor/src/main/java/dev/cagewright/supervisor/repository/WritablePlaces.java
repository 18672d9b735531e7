package dev.cagewright.supervisor.repository;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.gitconfig.Reach;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The directories of the host that a cage may write, as they really are. Immutable.
record WritablePlaces(List<Path> places) implements Reach {
    WritablePlaces {
        places = List.copyOf(places);
    }

    static WritablePlaces of(CageSpec spec) {
        var places = new ArrayList<Path>();
        places.add(real(path(spec.workspace().path())));
        for (Mount mount : spec.mounts()) {
            if (mount.access() == Access.READ_WRITE) {
                switch (mount.source()) {
                    case Mount.HostPath(var source) -> places.add(real(path(source)));
                    case Mount.Looked(var directory) -> places.add(real(path(directory.path())));
                    case Mount.Tmpfs _, Mount.Text _ -> {}
                }
            }
        }
        return new WritablePlaces(places);
    }

    /// A path whose bytes are no text of this machine stands for everything: nothing is out of reach then.
    private static Path path(ByteString bytes) {
        return Path.of(bytes.utf8().orElse("/"));
    }

    @Override
    public boolean isOutOf(String path) {
        try {
            var named = Path.of(path);
            if (!named.equals(named.normalize()) || !path.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                return false;
            }
            var end = real(named);
            return places.stream().noneMatch(end::startsWith);
        } catch (InvalidPathException _) {
            return false;
        }
    }

    /// With the links of what exists of it followed.
    private static Path real(Path path) {
        var there = path;
        for (var above = there.getParent(); above != null && !Files.exists(there); above = there.getParent()) {
            there = above;
        }
        try {
            return there.toRealPath().resolve(there.relativize(path));
        } catch (IOException _) {
            return path;
        }
    }
}
