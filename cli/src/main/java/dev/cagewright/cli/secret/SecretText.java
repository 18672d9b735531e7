package dev.cagewright.cli.secret;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.secrets.store.Stored;
import dev.cagewright.supervisor.vault.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Stored secrets in words and JSON; there is no value in what it is given.
final class SecretText {
    private static final String ROW = "%-24s  %-10s  %5s  %8s  %1s  %s";

    private final Console console;

    SecretText(Console console) {
        this.console = console;
    }

    /// One secret and whose it is.
    record Listed(Stored secret, Scope scope) {}

    void stored(Stored secret, Scope scope) {
        var versions = secret.versions().size();
        console.say("stored " + secret.name() + " for " + scope.words()
                + (versions > 1 ? "; the value before it is kept (" + versions + " versions)" : ""));
        boundNowhere(secret);
    }

    void boundNowhere(Stored secret) {
        if (secret.binding().useWith().isEmpty()) {
            console.more(secret.name() + " is bound to no host yet: cagewright secret bind " + secret.name()
                    + " --use-with HOST, or credentials: in a policy");
        }
    }

    void list(List<Listed> all, Instant now) {
        if (all.isEmpty()) {
            console.say("no secrets yet (cagewright secret set NAME --use-with HOST)");
            return;
        }
        console.out().println(String.format(Locale.ROOT, ROW, "NAME", "SCOPE", "AGE", "LAST USE", "V", "USE WITH"));
        for (Listed one : all) {
            var secret = one.secret();
            console.out()
                    .println(String.format(
                            Locale.ROOT,
                            ROW,
                            secret.name(),
                            one.scope().home().isPresent()
                                    ? "log-in"
                                    : one.scope().cage().map(Object::toString).orElse("-"),
                            age(Optional.of(secret.current().since()), now),
                            age(secret.lastUsed(), now),
                            secret.versions().size(),
                            where(secret, now)
                                    + one.scope()
                                            .home()
                                            .map(home -> " of the home " + home)
                                            .orElse("")));
        }
    }

    private static String where(Stored secret, Instant now) {
        var binding = secret.binding();
        var parts = new ArrayList<String>();
        parts.add(binding.useWith().isEmpty() ? "nowhere" : String.join(",", binding.useWith()));
        if (!binding.in().isEmpty()) {
            parts.add("in " + String.join(",", binding.in()));
        }
        binding.env().ifPresent(variable -> parts.add("as " + variable));
        if (secret.refresh().isPresent()) {
            parts.add("from a command");
        }
        if (secret.current().isStale(now)) {
            parts.add("expired");
        }
        return String.join(" ", parts);
    }

    /// Rough on purpose; a time that is still to come is the clock's fault.
    private static String age(Optional<Instant> since, Instant now) {
        if (since.isEmpty()) {
            return "never";
        }
        var age = Duration.between(since.get(), now);
        if (age.isNegative()) {
            return "future";
        }
        return age.toDays() > 0
                ? age.toDays() + "d"
                : age.toHours() > 0
                        ? age.toHours() + "h"
                        : age.toMinutes() > 0 ? age.toMinutes() + "m" : age.toSeconds() + "s";
    }

    static JsonObject json(Listed one, Instant now) {
        var secret = one.secret();
        var json = Json.object()
                .put("name", secret.name())
                .put(
                        "scope",
                        one.scope().home().isPresent()
                                ? "home"
                                : one.scope().cage().map(Object::toString).orElse("user"))
                .put("use_with", secret.binding().useWith())
                .put(
                        "in",
                        secret.binding().in().isEmpty()
                                ? List.of("header")
                                : secret.binding().in())
                .put("env", secret.binding().env().orElse(secret.name()))
                .put("stored", secret.current().since().toString())
                .put("versions", secret.versions().size())
                .put("from_command", secret.refresh().isPresent())
                .put("expired", secret.current().isStale(now));
        one.scope().home().ifPresent(home -> json.put("home", home));
        secret.current().expires().ifPresent(end -> json.put("expires", end.toString()));
        secret.lastUsed().ifPresent(used -> json.put("last_used", used.toString()));
        return json.build();
    }
}
