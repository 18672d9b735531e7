package dev.cagewright.egress.relay;

import dev.cagewright.egress.CageNetwork;
import dev.cagewright.egress.Chronicle;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.policy.action.HostName;
import java.util.concurrent.ExecutorService;

/// One connection of a cage: whose it is, whom it is for, and what serves it.
///
/// @param port the TCP port that was dialled
/// @param desk what all connections of the gateway share
record Arrival(CageNetwork cage, Dialled dialled, int port, Desk desk) {

    /// The same connection once CONNECT has named another destination.
    Arrival to(Dialled other, int otherPort) {
        return new Arrival(cage, other, otherPort, desk);
    }

    /// The pool of threads that may wait.
    ExecutorService waiting() {
        return desk.waiting();
    }

    /// Whom the connection is for, where a request names nobody.
    Authority authority() {
        return new Authority(new HostName(dialled.text()), port);
    }

    /// Is it for the cage's own desk? Then no rule has a word about it.
    boolean isForPolicyDesk() {
        return cage.policyDesk().isOpen()
                && dialled instanceof Dialled.Name(HostName host, var _)
                && host.equals(PolicyDesk.NAME);
    }

    /// Puts on record that the connection came to nothing; does not wait for it.
    void refused(String why) {
        var refused = new Chronicle.Refused(dialled.text(), port, why);
        desk.scribe().record(() -> cage.chronicle().refused(refused));
    }
}
