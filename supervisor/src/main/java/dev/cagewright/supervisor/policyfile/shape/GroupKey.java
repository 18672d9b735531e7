package dev.cagewright.supervisor.policyfile.shape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One key of a [Group].
///
/// @param otherNames accepted spellings of the same key
/// @param about one sentence for people
public record GroupKey<T>(String name, List<String> otherNames, Shape<T> shape, Need need, String about) {
    /// Must a key be there?
    public enum Need {
        REQUIRED,
        OPTIONAL
    }

    public static <T> GroupKey<T> required(String name, Shape<T> shape, String about) {
        return new GroupKey<>(name, List.of(), shape, Need.REQUIRED, about);
    }

    public static <T> GroupKey<T> optional(String name, Shape<T> shape, String about) {
        return new GroupKey<>(name, List.of(), shape, Need.OPTIONAL, about);
    }

    public GroupKey<T> alsoNamed(String other) {
        return new GroupKey<>(name, List.of(other), shape, need, about);
    }

    boolean isNamed(String text) {
        return name.equals(text) || otherNames.contains(text);
    }

    Map<String, Object> schema() {
        var schema = new LinkedHashMap<>(shape.schema());
        schema.put("description", about);
        return schema;
    }
}
