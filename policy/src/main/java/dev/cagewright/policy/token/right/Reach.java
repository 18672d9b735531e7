package dev.cagewright.policy.token.right;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// How far a right goes on one axis.
public sealed interface Reach<T> {
    /// Everything there is; spelt `*`.
    record All<T>() implements Reach<T> {}

    /// These and nothing else; none when empty.
    ///
    /// @param entries sorted by their texts, each once
    record Only<T>(List<T> entries) implements Reach<T> {
        public Only {
            var sorted = new ArrayList<>(entries);
            sorted.sort((one, other) -> one.toString().compareTo(other.toString()));
            entries = sorted.stream().distinct().toList();
        }
    }

    static <T> Reach<T> none() {
        return new Only<>(List.of());
    }

    default boolean isNothing() {
        return this instanceof Only<T>(var entries) && entries.isEmpty();
    }

    /// Does it reach something that `meant` says of an entry?
    default boolean admits(Predicate<T> meant) {
        return switch (this) {
            case All<T> _ -> true;
            case Only<T>(var entries) -> entries.stream().anyMatch(meant);
        };
    }

    /// Can it be shown that this reaches whatever `other` reaches?
    default boolean covers(Reach<T> other, BiPredicate<T, T> isWider) {
        return switch (this) {
            case All<T> _ -> true;
            case Only<T>(var mine) ->
                switch (other) {
                    case All<T> _ -> false;
                    case Only<T>(var theirs) ->
                        theirs.stream().allMatch(entry -> mine.stream().anyMatch(wider -> isWider.test(wider, entry)));
                };
        };
    }

    /// As a token spells it: the entries with blanks between, `*` for everything.
    default String spelt() {
        return switch (this) {
            case All<T> _ -> "*";
            case Only<T>(var entries) -> entries.stream().map(Object::toString).collect(Collectors.joining(" "));
        };
    }
}
