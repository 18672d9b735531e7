package dev.cagewright.egress.dns;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.util.Optional;

/// What a cage's names lead to. Asked on the thread that answers the query; may wait for the disk.
@FunctionalInterface
public interface Names {
    /// Judges a look-up and says what to answer. An exception is answered with SERVFAIL, and the cage is not told
    /// which;
    /// whoever throws it has recorded it.
    Ruling of(HostName name);

    /// The name that was answered with this address, for reverse look-ups.
    default Optional<HostName> nameOf(IpAddress address) {
        return Optional.empty();
    }

    /// What to answer.
    sealed interface Ruling {}

    /// The name may be dialled, at this IPv4 address of the cage's own.
    record Reachable(IpAddress address) implements Ruling {}

    /// The name is not allowed.
    ///
    /// @param decisionId what `cagewright why` explains; empty if nobody decided
    /// @param why one line for people; clients that read extended DNS errors are told
    /// @param sinkhole where the refusal is told to whoever connects
    record Refused(String decisionId, String why, IpAddress sinkhole) implements Ruling {}
}
