package dev.cagewright.bench.gateway;

import java.io.IOException;
import java.util.Optional;

/// What stands between the client and the origin while it is measured.
///
/// @param name in figures
/// @param client who asks
/// @param order whom, and by what way
/// @param proxy whose processor time counts; nobody where nothing stands between
record Between(String name, Started client, Order order, Optional<Started> proxy, Started.Family family) {
    /// @param took of the client
    /// @param proxyNanos processor time of what stands between
    record Round(Yield took, long proxyNanos) {}

    Round once(Order asked) throws IOException {
        long before = processorNanos();
        var took = client.carryOut(asked);
        return new Round(took, processorNanos() - before);
    }

    private long processorNanos() throws IOException {
        return proxy.isPresent() ? proxy.get().processorNanos(family) : 0;
    }
}
