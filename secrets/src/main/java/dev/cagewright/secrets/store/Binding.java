package dev.cagewright.secrets.store;

import java.util.List;
import java.util.Optional;

/// Where a stored secret may go when no policy says so, in the words of a policy's `credentials`.
///
/// @param useWith hosts; empty binds it to nowhere
/// @param in the parts of a request; empty means the usual one
/// @param env the variable that holds the decoy; absent means the secret's name where it can be one
/// @param prepare files of the cage's home that hold the decoy
public record Binding(List<String> useWith, List<String> in, Optional<String> env, List<String> prepare) {
    public static final Binding NOWHERE = new Binding(List.of(), List.of(), Optional.empty(), List.of());

    public Binding {
        useWith = List.copyOf(useWith);
        in = List.copyOf(in);
        prepare = List.copyOf(prepare);
    }
}
