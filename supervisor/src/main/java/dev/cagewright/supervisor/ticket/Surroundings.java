package dev.cagewright.supervisor.ticket;

import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.HatchRequest;
import java.util.Optional;
import java.util.Set;

/// Whom a request says it is for and from what page it says it comes: against names that are made to lead here, and
/// against pages of others that post here.
///
/// @param authorities `HOST:PORT` as this door is called; empty where no name leads to it
/// @param origins of its own pages
record Surroundings(Set<String> authorities, Set<String> origins) {
    Surroundings {
        authorities = Set.copyOf(authorities);
        origins = Set.copyOf(origins);
    }

    /// What is wrong with where it comes from; empty when nothing is.
    Optional<HatchAnswer> objection(HatchRequest request) {
        if (!authorities.isEmpty()
                && !authorities.contains(request.field("host").orElse(""))) {
            return Optional.of(HatchAnswer.problem(421, "link:host", "this door is not called that"));
        }
        if (request.method().equals("GET")) {
            return Optional.empty();
        }
        boolean isForeign =
                request.field("origin").filter(from -> !origins.contains(from)).isPresent()
                        || request.field("sec-fetch-site")
                                .filter(site -> !site.equals("same-origin"))
                                .isPresent();
        return isForeign
                ? Optional.of(HatchAnswer.problem(403, "link:origin", "another page may not answer here"))
                : Optional.empty();
    }
}
