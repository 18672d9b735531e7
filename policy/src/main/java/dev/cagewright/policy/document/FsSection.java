package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// `fs`: what of the file system stands in the cage.
///
/// @param mounts absent in a layer that has no opinion about mounts
/// @param waive names of protected groups that are lifted, e.g. `git-hooks`; the names are the sandbox's
/// @param hide what cannot be seen at all
public record FsSection(Optional<List<Mount>> mounts, List<String> waive, List<HidePattern> hide) {
    /// The same with more mounts.
    FsSection with(List<Mount> more) {
        return new FsSection(
                Optional.of(Stream.concat(mounts.stream().flatMap(List::stream), more.stream())
                        .toList()),
                waive,
                hide);
    }

    public FsSection {
        mounts = mounts.map(List::copyOf);
        waive = List.copyOf(waive);
        hide = List.copyOf(hide);
        for (String name : waive) {
            if (!name.matches("[a-z0-9][a-z0-9-]{0,62}")) {
                throw Field.refusal("fs.waive", name, "the name of a protected group, e.g. git-hooks");
            }
        }
    }
}
