package dev.cagewright.egress.credential;

import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.policy.match.HostPattern;
import java.util.Optional;

/// One request as it came from the cage, with decoys.
///
/// @param authority whom it is for
public record Request(Scheme scheme, Authority authority, RequestHead head) {

    /// May this secret be used here?
    Standing standing(Bound secret, Place place) {
        var best = Standing.ELSEWHERE;
        for (var binding : secret.bindings()) {
            var standing = standing(binding, place);
            best = standing.compareTo(best) > 0 ? standing : best;
        }
        return best;
    }

    /// How near a use is to a binding, the farthest first.
    enum Standing {
        ELSEWHERE,
        OTHER_PORT,
        IN_CLEAR,
        OTHER_PLACE,
        BOUND
    }

    private Standing standing(Binding binding, Place place) {
        if (!meets(binding.host())) {
            return Standing.ELSEWHERE;
        }
        if (binding.scheme() != scheme) {
            return scheme == Scheme.HTTP ? Standing.IN_CLEAR : Standing.ELSEWHERE;
        }
        if (binding.port() != authority.port()) {
            return Standing.OTHER_PORT;
        }
        boolean isPath = binding.paths().isEmpty() || binding.paths().contains(head.path());
        return isPath && meets(binding.place(), place) ? Standing.BOUND : Standing.OTHER_PLACE;
    }

    private boolean meets(HostPattern host) {
        return host.matches(authority.host());
    }

    private static boolean meets(Place bound, Place used) {
        return switch (bound) {
            case Place.Header(Optional<String> name) ->
                used instanceof Place.Header(Optional<String> field)
                        && (name.isEmpty() || name.get().equalsIgnoreCase(field.orElse("")));
            case Place.Query _, Place.Path _, Place.Body _ -> bound.equals(used);
        };
    }

    /// Is some secret bound to this destination, in whatever place?
    boolean isKnown(Bound secret) {
        return standing(secret, new Place.Body()).compareTo(Standing.OTHER_PLACE) >= 0;
    }

    /// Heads hold decoys.
    @Override
    public String toString() {
        return scheme + " " + authority;
    }
}
