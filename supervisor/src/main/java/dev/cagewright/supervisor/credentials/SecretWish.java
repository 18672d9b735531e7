package dev.cagewright.supervisor.credentials;

import dev.cagewright.policy.document.Credential;
import dev.cagewright.secrets.store.Stored;
import java.util.Optional;

/// A secret that the person wants for one run: `NAME` or `NAME=VARIABLE`.
///
/// @param env the variable for the decoy; absent means as the policy or the store says
public record SecretWish(String name, Optional<String> env) {
    private static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]{0,127}";

    /// Reads one. Whatever is wrong with it may be a value, so the message does not show it.
    ///
    /// @throws IllegalArgumentException saying what is expected
    public static SecretWish parse(String text) {
        int equals = text.indexOf('=');
        var name = equals < 0 ? text : text.substring(0, equals);
        var env = equals < 0 ? Optional.<String>empty() : Optional.of(text.substring(equals + 1));
        try {
            Stored.requireName(name);
        } catch (IllegalArgumentException _) {
            throw refusal();
        }
        if (env.filter(variable -> !variable.matches(VARIABLE)).isPresent()) {
            throw refusal();
        }
        return new SecretWish(name, env);
    }

    private static IllegalArgumentException refusal() {
        return new IllegalArgumentException("-s: is neither NAME nor NAME=VARIABLE (expected: a stored secret's name,"
                + " and the name of a variable; a value is stored by cagewright secret set and never given here)");
    }

    /// `entry` with the variable that is wished.
    Credential over(Credential entry) {
        if (!entry.isStored()) {
            throw new IllegalArgumentException(
                    "-s " + name + ": is had by logging in in the cage, or signs, and is not stored"
                            + " (expected: the name of a stored secret)");
        }
        return new Credential(
                entry.name(), env.or(entry::env).or(this::usual), entry.useWith(), entry.in(), entry.prepare());
    }

    /// The name itself, where it can be a variable's.
    private Optional<String> usual() {
        return Optional.of(name).filter(one -> one.matches(VARIABLE));
    }

    /// The entry for a stored secret that no policy speaks of.
    ///
    /// @throws IllegalArgumentException if it is bound to nowhere
    Credential of(Stored secret) {
        var binding = secret.binding();
        if (binding.useWith().isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is bound to no host, so nothing could use it (expected: cagewright" + " secret bind "
                            + name + " --use-with HOST, or an entry of credentials in the policy)");
        }
        var places = binding.in().stream()
                .map(word -> Credential.Place.parse("in", word))
                .toList();
        var entry = over(new Credential(
                name,
                binding.env(),
                binding.useWith(),
                places.isEmpty() ? Optional.empty() : Optional.of(places),
                binding.prepare().stream()
                        .map(word -> Credential.Prepared.parse("prepare", word))
                        .toList()));
        if (entry.env().isEmpty()) {
            throw new IllegalArgumentException(
                    name + " cannot be a variable's name (expected: -s " + name + "=VARIABLE)");
        }
        return entry;
    }
}
