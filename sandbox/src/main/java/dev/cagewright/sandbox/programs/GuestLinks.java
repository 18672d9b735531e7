package dev.cagewright.sandbox.programs;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/// Follows links as a process would whose root directory is `root`: an absolute link starts at `root`
/// again and `..` stays inside.
///
/// @param mounted what stands at a path of the guest, as the host names it, where that is not the same path below
///     `root`; without links
record GuestLinks(Path root, Map<Path, Path> mounted) {
    /// As many as the kernel follows, path_resolution(7).
    private static final int LINK_LIMIT = 40;

    /// @param target as the guest names it: absolute, without links
    /// @param links each link that was followed, as the guest names it
    record Walk(Path target, List<Path> links) {}

    GuestLinks {
        mounted = Map.copyOf(mounted);
    }

    Path onHost(Path guest) {
        for (var at = mounted.isEmpty() ? null : guest; at != null; at = at.getParent()) {
            var source = mounted.get(at);
            if (source != null) {
                return source.resolve(at.relativize(guest));
            }
        }
        return root.resolve(Path.of("/").relativize(guest));
    }

    /// Where `guest`, an absolute path, leads.
    ///
    /// @throws IOException if a name on the way is missing, unreadable or part of a loop
    Walk follow(Path guest) throws IOException {
        var links = new ArrayList<Path>();
        var rest = new ArrayDeque<Path>();
        guest.forEach(rest::addLast);
        var at = Path.of("/");
        while (!rest.isEmpty()) {
            var next = at.resolve(rest.removeFirst()).normalize();
            if (!Files.isSymbolicLink(onHost(next))) {
                at = next;
                continue;
            }
            if (links.size() == LINK_LIMIT) {
                throw new FileSystemLoopException(guest.toString());
            }
            links.add(next);
            var leadsTo = Files.readSymbolicLink(onHost(next));
            prepend(rest, leadsTo);
            at = leadsTo.isAbsolute() ? Path.of("/") : at;
        }
        return new Walk(at, links);
    }

    private static void prepend(Deque<Path> rest, Path names) {
        for (int i = names.getNameCount() - 1; i >= 0; i--) {
            rest.addFirst(names.getName(i));
        }
    }
}
