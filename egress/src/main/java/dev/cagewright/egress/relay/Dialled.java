package dev.cagewright.egress.relay;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.policy.action.HostName;

/// Whom a connection of the cage is for, by the address that was dialled or by the words of CONNECT.
sealed interface Dialled {
    /// How it is called in a policy and in the log.
    String text();

    /// A name: its address was dialled.
    record Name(HostName host, How how) implements Dialled {
        @Override
        public String text() {
            return host.value();
        }
    }

    /// How a name was given.
    enum How {
        /// By its address; TLS has to say the name again.
        BY_ADDRESS,
        /// In the words of CONNECT.
        BY_CONNECT
    }

    /// An address that no name was given.
    record Address(IpAddress address) implements Dialled {
        @Override
        public String text() {
            return address.toString();
        }

        HostName host() {
            return new HostName(address.toString());
        }
    }

    /// The address of all names that are refused, or one of the pool that is nobody's.
    record Nobody(IpAddress address) implements Dialled {
        @Override
        public String text() {
            return address.toString();
        }
    }

    static Dialled of(IpAddress address, SyntheticAddresses names) {
        var name = names.nameOf(address);
        if (name.isPresent()) {
            return new Name(name.get(), How.BY_ADDRESS);
        }
        boolean isNobodys = address.equals(SyntheticAddresses.SINKHOLE) || names.isOfPool(address);
        return isNobodys ? new Nobody(address) : new Address(address);
    }
}
