package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Copies a whole tree where there can be no overlay: directories, files and links, with permissions, times of files,
/// and holes. Set-id bits are left out; several names of one file become several files. Looks every name up from an
/// open directory and follows no link. For one thread.
final class TreeCopy {
    private final CopyQuota quota;
    private final HostEntry.Identity owner;
    private final List<ByteString> leftOut = new ArrayList<>();
    private long bytes;
    private long entries;
    private long shared;
    private long copied;

    private TreeCopy(CopyQuota quota, HostEntry.Identity owner) {
        this.quota = quota;
        this.owner = owner;
    }

    /// What a copy came to.
    ///
    /// @param mechanism [Mechanism#REFLINK] if no file had to be copied byte for byte
    /// @param leftOut paths of what is no file, directory or link
    record Result(Mechanism mechanism, List<ByteString> leftOut) {}

    /// Copies what is in `from` into `to`, which is empty.
    ///
    /// @throws IOException if something cannot be read, or there is more than `quota` allows; a part may be there
    static Result of(HostFolder from, HostFolder to, CopyQuota quota) throws IOException {
        var copy = new TreeCopy(quota, to.self().identity());
        copy.folder(from, to, "");
        var mechanism = copy.copied == 0 && copy.shared > 0 ? Mechanism.REFLINK : Mechanism.COPY;
        return new Result(mechanism, copy.leftOut);
    }

    private void folder(HostFolder from, HostFolder to, String path) throws IOException {
        if (path.chars().filter(c -> c == '/').count() == CopySize.DEPTH) {
            throw new IOException(path + ": deeper than " + CopySize.DEPTH + " directories");
        }
        for (ByteString name : from.names((int) Math.min(quota.entries() + 1, Integer.MAX_VALUE))) {
            var entry = from.look(name);
            if (entry.isPresent()) {
                count(entry.get());
                one(new Pair(from, to, name), entry.get(), path + name.latin1());
            }
        }
    }

    /// One name in both trees.
    private record Pair(HostFolder from, HostFolder to, ByteString name) {}

    private void count(HostEntry entry) throws IOException {
        entries++;
        bytes += entry.isFile() ? entry.size() : 0;
        if (entries > quota.entries() || bytes > quota.bytes()) {
            throw new IOException("more than " + quota.entries() + " files or " + quota.bytes()
                    + " bytes would have to be copied (raise resources.files or resources.disk)");
        }
    }

    private void one(Pair pair, HostEntry entry, String path) throws IOException {
        switch (entry.kind()) {
            case FILE -> file(pair, entry);
            case FOLDER -> inner(pair, entry, path);
            case LINK -> {
                pair.to.makeLink(pair.name, pair.from.linkText(pair.name));
                own(pair);
            }
            case WHITEOUT, FIFO, SOCKET, DEVICE -> leftOut.add(bytes(path));
        }
    }

    private static ByteString bytes(String latin1) {
        return ByteString.copyOf(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void own(Pair pair) throws IOException {
        var made = pair.to.look(pair.name).orElseThrow(() -> new IOException(pair.name + ": is gone"));
        if (made.identity().owner() != owner.owner() || made.identity().group() != owner.group()) {
            pair.to.give(pair.name, owner);
        }
    }

    private void file(Pair pair, HostEntry entry) throws IOException {
        try (var source = pair.from.read(pair.name);
                var target = pair.to.create(pair.name)) {
            if (entry.size() > 0 && target.shareFrom(source)) {
                shared++;
            } else {
                target.copyFrom(source, (_, _) -> {});
                copied += entry.size() > 0 ? 1 : 0;
            }
            own(pair);
            target.dress(entry.permissions() & 01777, entry.modified());
        }
    }

    private void inner(Pair pair, HostEntry entry, String path) throws IOException {
        pair.to.makeFolder(pair.name);
        try (var from = open(pair.from, pair.name);
                var to = open(pair.to, pair.name)) {
            folder(from, to, path + "/");
        }
        own(pair);
        pair.to.permit(pair.name, entry.permissions() & 01777);
    }

    private static HostFolder open(HostFolder above, ByteString name) throws IOException {
        return above.folder(name).orElseThrow(() -> new IOException(name + ": is no directory any more"));
    }
}
