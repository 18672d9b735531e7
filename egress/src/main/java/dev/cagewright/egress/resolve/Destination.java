package dev.cagewright.egress.resolve;

import dev.cagewright.egress.address.IpAddress;
import java.util.List;

/// Where a connection leads.
public sealed interface Destination {

    /// Each of these was judged and may be dialled, in this order; at least one.
    record Dialable(List<IpAddress> addresses) implements Destination {
        public Dialable {
            addresses = List.copyOf(addresses);
        }
    }

    /// One of the name's addresses is forbidden, and so is the name; `why` names the address.
    record Forbidden(String why) implements Destination {}

    /// The name has no address, or nobody could be asked.
    record Unresolved(String why) implements Destination {}
}
