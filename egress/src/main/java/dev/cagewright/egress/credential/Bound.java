package dev.cagewright.egress.credential;

import dev.cagewright.secrets.value.HeldSecret;
import java.util.List;

/// A secret of a session, and where it may go.
///
/// @param secret owned by whoever made it; not closed before the gateway is
/// @param bindings any of them; empty means nowhere, and its value is kept out of what comes back all the same
public record Bound(HeldSecret secret, List<Binding> bindings) {
    public Bound {
        bindings = List.copyOf(bindings);
    }
}
