package dev.cagewright.supervisor.repository;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Where settings go when a run is over: to the host's files, or to the session's copy of them, from where a person
/// brings them to the host.
///
/// @param workspace of the host
/// @param copy the changeable layer of the session's copy of it
public record Target(Path workspace, Optional<Path> copy) {
    /// The text at `at` as the run finds it, one char a byte; empty if it is none that git would have written.
    ///
    /// @param most bytes
    Optional<String> text(RelativePath at, int most) {
        for (Path tree : copy.map(one -> List.of(one, workspace)).orElse(List.of(workspace))) {
            try (var top = HostFolder.open(ByteString.of(tree.toString()))) {
                var folder = top.folder(at.parent().bytes());
                if (folder.isEmpty()) {
                    continue;
                }
                try (var open = folder.get()) {
                    var text = ConfigFile.read(open, at.name(), most);
                    if (text.isPresent()) {
                        return text;
                    }
                }
            } catch (IOException _) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// Does anything stand at `at` of the host's workspace?
    boolean isThere(RelativePath at) throws IOException {
        try (var top = HostFolder.open(ByteString.of(workspace.toString()))) {
            var folder = top.folder(at.parent().bytes());
            if (folder.isEmpty()) {
                return false;
            }
            try (var open = folder.get()) {
                return open.look(at.name()).isPresent();
            }
        }
    }

    /// A file that is changed.
    ///
    /// @param spare a folder that no cage has
    /// @param most bytes of it
    record Changed(RelativePath at, Path spare, int most) {}

    /// Puts what `change` makes of the text of a file in its place.
    void change(Changed file, Function<String, Optional<String>> change) throws IOException {
        var at = file.at;
        try (var aside = HostFolder.open(ByteString.of(file.spare.toString()))) {
            if (copy.isEmpty()) {
                try (var folder = existing(workspace, at.parent())) {
                    new ConfigFile(folder, at.name(), aside, file.most).change(change);
                }
                return;
            }
            var present = text(at, file.most).orElse("");
            try (var folder = inCopy(copy.get(), at.parent())) {
                new ConfigFile(folder, at.name(), aside, file.most).change(_ -> change.apply(present));
            }
        }
    }

    private static HostFolder existing(Path tree, RelativePath folder) throws IOException {
        try (var top = HostFolder.open(ByteString.of(tree.toString()))) {
            return top.folder(folder.bytes()).orElseThrow(() -> new IOException(folder + ": is not there any more"));
        }
    }

    /// A directory that the layer does not have yet looks like the host's.
    private HostFolder inCopy(Path upper, RelativePath folder) throws IOException {
        var at = RelativePath.TOP;
        for (String name : folder.names()) {
            var child = ByteString.copyOf(name.getBytes(StandardCharsets.ISO_8859_1));
            try (var parent = existing(upper, at)) {
                var there = parent.look(child);
                if (there.isEmpty()) {
                    make(parent, child, at.child(child));
                } else if (!there.get().isFolder()) {
                    throw new IOException(at.child(child) + ": is no directory any more");
                }
            }
            at = at.child(child);
        }
        return existing(upper, folder);
    }

    private void make(HostFolder parent, ByteString child, RelativePath at) throws IOException {
        HostEntry like;
        try (var host = existing(workspace, at)) {
            like = host.self();
        }
        parent.makeFolder(child);
        parent.permit(child, like.permissions());
        if (parent.look(child)
                .filter(made -> made.identity().owner() == like.identity().owner())
                .isEmpty()) {
            parent.give(child, like.identity());
        }
    }
}
