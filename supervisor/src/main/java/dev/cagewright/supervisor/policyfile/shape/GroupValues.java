package dev.cagewright.supervisor.policyfile.shape;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The values of a group's keys.
public final class GroupValues {
    private final Map<String, Object> byName = new HashMap<>();

    /// Empty when the key is absent.
    @SuppressWarnings("unchecked") // put() is the only writer, with a value of the key's own shape
    public <T> Optional<T> find(GroupKey<T> key) {
        return Optional.ofNullable((T) byName.get(key.name()));
    }

    /// The value of a required key.
    public <T> T get(GroupKey<T> key) {
        return find(key).orElseThrow(() -> new IllegalStateException(key.name() + ": absent (expected: required)"));
    }

    <T> void put(GroupKey<T> key, T value) {
        byName.put(key.name(), value);
    }
}
