package dev.cagewright.egress.resolve;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.util.List;
import java.util.concurrent.CompletionStage;

/// Looks names up.
@FunctionalInterface
public interface Resolver {
    /// All addresses of `name`, of both families, never none, in the order in which they should be dialled; judged by
    /// nobody yet. Does not block; fails with [UnresolvedException].
    CompletionStage<List<IpAddress>> resolve(HostName name);
}
