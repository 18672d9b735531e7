package dev.cagewright.supervisor.scaffold;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.engine.Registry;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.supervisor.registries.Registries;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Somebody whom an agent is known to ask for something, and what for. For people; grants and refuses nothing.
///
/// @param host `api.example.com`, `*.example.com`, or `npm registry`, which is wherever the tool npm of this machine
///     fetches packages from
/// @param why a few words
public record Contact(String host, String why) {
    private static final String REGISTRY = " registry";

    /// Reads the first part.
    ///
    /// @throws IllegalArgumentException naming `field`
    static String host(String field, String text) {
        if (!text.matches("(apt|cargo|maven|npm|pip)" + REGISTRY)) {
            HostPattern.parse(field, text);
        }
        return text;
    }

    /// With the names of this machine's registry in the place of `npm registry`.
    ///
    /// @param caller the variables of whoever asks
    Stream<Contact> here(Map<ByteString, ByteString> caller) {
        if (!host.endsWith(REGISTRY)) {
            return Stream.of(this);
        }
        var tool = host.substring(0, host.length() - REGISTRY.length());
        return switch (Registries.ofHost(caller, List.of()).of(List.of(tool)).get(tool)) {
            case Registry.Known known -> known.hosts().stream().map(one -> new Contact(one.name(), why));
            case null, default -> Stream.empty();
        };
    }

    /// Is this the name of whom it means?
    ///
    /// @param name as a cage said it
    public boolean means(String name) {
        try {
            return HostPattern.parse("host", host).matches(new HostName(name));
        } catch (IllegalArgumentException _) {
            return host.equals(name);
        }
    }
}
