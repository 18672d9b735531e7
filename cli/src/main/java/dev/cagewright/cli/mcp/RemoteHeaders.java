package dev.cagewright.cli.mcp;

import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.egress.here.HostRequest.Scheme;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.mcpconfig.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// The fields that go to a server elsewhere with every request. Where one names a secret that the policy lends, its
/// decoy is put there: the gateway puts the value in, and it is nowhere here.
///
/// @param caller the variables of whoever gave them
/// @param scheme by which they go
record RemoteHeaders(Map<ByteString, ByteString> caller, RunSecrets secrets, Scheme scheme) {
    private static final int MOST = 50;

    /// Those that the protocol needs for itself.
    private static final Set<String> TAKEN = Set.of("content-type", "accept", "last-event-id");

    /// @param given each `Name: value`
    /// @throws IllegalArgumentException saying what is wrong; a value is not shown
    List<Header> of(List<String> given) {
        if (given.size() > MOST) {
            throw new IllegalArgumentException("--header: " + given.size() + " (expected: at most " + MOST + ")");
        }
        var headers = new ArrayList<Header>();
        for (String one : given) {
            int colon = one.indexOf(':');
            var name = colon < 0 ? "" : one.substring(0, colon).strip();
            requireName(name);
            headers.add(new Header(name, value(name, one.substring(colon + 1).strip())));
        }
        return headers;
    }

    private static void requireName(String name) {
        var small = name.toLowerCase(Locale.ROOT);
        if (!Header.isFree(name) || TAKEN.contains(small) || small.startsWith("mcp-")) {
            throw new IllegalArgumentException(
                    "--header: \"" + ByteString.of(name).printable()
                            + "\" (expected: Name: value, with a name that neither the connection nor MCP needs for itself)");
        }
    }

    private String value(String name, String text) {
        secrets.shownIn(List.of(ByteString.of(text))).ifPresent(secret -> {
            throw new IllegalArgumentException("--header " + name + " holds the value of " + secret
                    + " (expected: its name, as ${" + secret + "}, which the gateway puts the value in for)");
        });
        var hasSecret = new AtomicBoolean();
        var value = new Variables(variable -> {
                    var decoy = decoy(variable);
                    decoy.ifPresent(_ -> hasSecret.set(true));
                    return decoy.or(() -> Optional.ofNullable(caller.get(ByteString.of(variable)))
                            .map(ByteString::latin1));
                })
                .in("--header " + name, text);
        if (hasSecret.get() && scheme != Scheme.HTTPS) {
            throw new IllegalArgumentException(
                    "--header " + name + ": no secret goes without TLS (expected: an address with https://)");
        }
        if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("--header " + name + ": (expected: a value in visible ASCII)");
        }
        return value;
    }

    /// By the secret's name, or by the variable that has its decoy in a cage.
    private Optional<String> decoy(String variable) {
        return Optional.ofNullable(secrets.decoys().get(variable))
                .or(() -> Optional.ofNullable(secrets.variables().get(variable)));
    }
}
