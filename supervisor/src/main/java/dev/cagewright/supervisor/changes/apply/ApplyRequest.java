package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.protect.ProtectionGroup;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// What a person wants brought to the host.
///
/// @param chosen paths and what is below them; the top for everything
/// @param forced paths at which the host's own changes may be overwritten; exact, one by one
/// @param marked paths at which the host's and the cage's lines may be written both, between marks; exact, one by one
/// @param waived groups of protected paths that may be written
/// @param home whose tools must stay unharmed, and the product's own files, which are never written
public record ApplyRequest(
        SessionCopy copy,
        List<RelativePath> chosen,
        Set<RelativePath> forced,
        Set<RelativePath> marked,
        Set<ProtectionGroup> waived,
        Home home) {
    /// Nothing between marks.
    public ApplyRequest(
            SessionCopy copy,
            List<RelativePath> chosen,
            Set<RelativePath> forced,
            Set<ProtectionGroup> waived,
            Home home) {
        this(copy, chosen, forced, Set.of(), waived, home);
    }

    /// What belongs to the person and to the product.
    public record Home(Path directory, List<Path> own) {
        public Home {
            own = List.copyOf(own);
        }
    }

    public ApplyRequest {
        chosen = List.copyOf(chosen);
        forced = Set.copyOf(forced);
        marked = Set.copyOf(marked);
        waived = Set.copyOf(waived);
    }
}
