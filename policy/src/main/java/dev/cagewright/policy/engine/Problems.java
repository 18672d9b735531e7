package dev.cagewright.policy.engine;

import dev.cagewright.policy.document.Origins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Collects what is wrong with a document, so that all of it is told at once.
final class Problems {
    private final Origins origins;
    private final List<BadPolicyException.Problem> found = new ArrayList<>();

    Problems(Origins origins) {
        this.origins = origins;
    }

    /// @param field the field's name as in `net.hosts[2].host`
    void add(String field, String message) {
        var pointer = Origins.pointer(field);
        found.add(new BadPolicyException.Problem(pointer, origins.at(pointer), message));
    }

    /// The value, or nothing and one problem more.
    <T> Optional<T> read(String field, Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (IllegalArgumentException e) {
            add(field, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    void throwIfAny() throws BadPolicyException {
        if (!found.isEmpty()) {
            throw new BadPolicyException(found);
        }
    }
}
