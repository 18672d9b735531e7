package dev.cagewright.egress.resolve;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.document.Upstream;
import java.util.List;
import java.util.Optional;

/// Where a connection leads.
public sealed interface Destination {

    /// Each of these was judged and may be dialled, in this order; at least one.
    ///
    /// @param proxy whose the addresses are, and who is asked for the host then; empty where they are the host's
    record Dialable(List<IpAddress> addresses, Optional<Upstream.Proxy> proxy) implements Destination {
        public Dialable {
            addresses = List.copyOf(addresses);
        }

        /// The addresses are the host's.
        public static Dialable direct(List<IpAddress> addresses) {
            return new Dialable(addresses, Optional.empty());
        }

        /// What is put on record of a connection to one of the addresses.
        public String text(IpAddress address) {
            return proxy.map(asked -> address + " (" + asked + ")").orElseGet(address::toString);
        }
    }

    /// One of the name's addresses is forbidden, and so is the name; `why` names the address.
    record Forbidden(String why) implements Destination {}

    /// The name has no address, or nobody could be asked.
    record Unresolved(String why) implements Destination {}
}
