package dev.cagewright.egress.relay;

import dev.cagewright.egress.crowd.Crowd;
import dev.cagewright.egress.deadline.Deadlines;
import dev.cagewright.egress.question.Withholding;
import dev.cagewright.egress.tls.TlsServers;
import dev.cagewright.egress.underway.Outstanding;
import dev.cagewright.egress.underway.Scribe;
import dev.cagewright.egress.underway.Underway;
import dev.cagewright.egress.upstream.Dialer;
import dev.cagewright.egress.upstream.HttpPool;
import dev.cagewright.egress.upstream.Lookup;
import dev.cagewright.egress.visit.Visitors;
import java.util.concurrent.ExecutorService;

/// What all connections of one cage share.
///
/// @param waiting virtual threads, for whatever waits for the disk, a name server or a key
record Desk(ExecutorService waiting, Upstreams upstreams, TlsServers servers, Deadlines deadlines, Records records) {

    /// What is known of everything: what goes on, and how it ended.
    ///
    /// @param hearings of the gate that are still to come
    /// @param withholding what waits for a person
    /// @param visitors at the cage's own desk
    record Records(
            Crowd crowd,
            Scribe scribe,
            Underway underway,
            Outstanding hearings,
            Withholding withholding,
            Visitors visitors) {}

    Visitors visitors() {
        return records.visitors();
    }

    Withholding withholding() {
        return records.withholding();
    }

    Scribe scribe() {
        return records.scribe();
    }

    Outstanding hearings() {
        return records.hearings();
    }

    Underway underway() {
        return records.underway();
    }

    /// The way to origins.
    record Upstreams(Lookup lookup, Dialer dialer, HttpPool pool) {}

    Crowd crowd() {
        return records.crowd();
    }

    Lookup lookup() {
        return upstreams.lookup();
    }

    Dialer dialer() {
        return upstreams.dialer();
    }

    HttpPool pool() {
        return upstreams.pool();
    }
}
