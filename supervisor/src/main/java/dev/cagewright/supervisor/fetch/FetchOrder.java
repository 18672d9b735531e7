package dev.cagewright.supervisor.fetch;

import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One request as somebody asks for it, with its body apart.
///
/// @param target the path, and what follows `?`; visible ASCII
/// @param headers that go along; no secrets
public record FetchOrder(
        HostRequest.Scheme scheme, String method, Authority to, String target, List<HostRequest.Header> headers) {
    /// Whom it is for.
    ///
    /// @param port 1 to 65535
    public record Authority(HostName host, int port) {}

    public FetchOrder {
        method = method.toUpperCase(Locale.ROOT);
        headers = List.copyOf(headers);
        if (target.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException("path: (expected: visible ASCII; other characters percent-encoded)");
        }
    }

    /// What it is to a policy.
    public Action.HttpRequest action() {
        int query = target.indexOf('?');
        return new Action.HttpRequest(method, to.host(), to.port(), query < 0 ? target : target.substring(0, query));
    }

    /// The request itself.
    ///
    /// @param more fields besides its own
    public HostRequest request(List<HostRequest.Header> more, Optional<byte[]> body) {
        var all = new ArrayList<>(headers);
        all.addAll(more);
        return new HostRequest(scheme, method, target, all, body);
    }

    /// The field by which a secret goes along, of which the cage knows the decoy.
    ///
    /// @param field its name; empty for one of `Authorization: Bearer`
    public static HostRequest.Header credential(Optional<String> field, String decoy) {
        return field.map(name -> HostRequest.Header.parse(name + ": " + decoy))
                .orElseGet(() -> new HostRequest.Header("Authorization", "Bearer " + decoy));
    }
}
