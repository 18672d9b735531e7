package dev.cagewright.egress.address;

import java.util.ArrayList;
import java.util.List;

/// The IPv4 addresses that an IPv6 address carries for whatever translates or unwraps it on the way: a packet to the
/// one
/// may arrive at the other.
final class Carried {
    private static final AddressRange COMPATIBLE = AddressRange.known("::/96");
    private static final AddressRange TRANSLATED = AddressRange.known("::ffff:0:0:0/96");
    private static final AddressRange NAT64 = AddressRange.known("64:ff9b::/96");
    private static final AddressRange LOCAL_NAT64 = AddressRange.known("64:ff9b:1::/48");
    private static final AddressRange TEREDO = AddressRange.known("2001::/32");
    private static final AddressRange SIX_TO_FOUR = AddressRange.known("2002::/16");

    private Carried() {}

    static List<IpAddress> by(IpAddress address) {
        var all = new ArrayList<IpAddress>();
        if (address.isV4()) {
            return all;
        }
        if (COMPATIBLE.contains(address) || TRANSLATED.contains(address) || NAT64.contains(address)) {
            all.add(quad(address, 12, 13, 14, 15));
        }
        if (LOCAL_NAT64.contains(address)) {
            addEveryLength(address, all);
        }
        if (SIX_TO_FOUR.contains(address)) {
            all.add(quad(address, 2, 3, 4, 5));
        }
        if (TEREDO.contains(address)) {
            all.add(quad(address, 4, 5, 6, 7));
            all.add(inverted(quad(address, 12, 13, 14, 15)));
        }
        if (isIsatap(address)) {
            all.add(quad(address, 12, 13, 14, 15));
        }
        return all;
    }

    /// RFC 6052 section 2.2: which bytes carry the address depends on the length of the translator's prefix, and byte 8
    /// is left out.
    private static void addEveryLength(IpAddress address, List<IpAddress> all) {
        all.add(quad(address, 6, 7, 9, 10));
        all.add(quad(address, 7, 9, 10, 11));
        all.add(quad(address, 9, 10, 11, 12));
        all.add(quad(address, 12, 13, 14, 15));
    }

    /// RFC 5214 section 6.1: an interface identifier `[0200:]5efe` and the address.
    private static boolean isIsatap(IpAddress address) {
        return (address.at(8) & 0xfd) == 0
                && address.at(9) == 0
                && address.at(10) == 0x5e
                && address.at(11) == (byte) 0xfe;
    }

    private static IpAddress quad(IpAddress from, int first, int second, int third, int fourth) {
        return IpAddress.of(new byte[] {from.at(first), from.at(second), from.at(third), from.at(fourth)});
    }

    private static IpAddress inverted(IpAddress address) {
        var bytes = address.toByteArray();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
        return IpAddress.of(bytes);
    }
}
