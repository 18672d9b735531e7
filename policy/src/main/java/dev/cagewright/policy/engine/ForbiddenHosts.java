package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.match.IpText;
import org.jspecify.annotations.Nullable;

/// Hosts that no policy can allow: cloud metadata end points by name and address, link-local addresses, and
/// addresses in spellings that programs read differently. By text only; the gateway judges resolved addresses again.
final class ForbiddenHosts {
    private static final Decision METADATA = new Decision.Deny(
            Rules.METADATA, DenyCode.FORBIDDEN, "cloud metadata and link-local addresses are never reachable");
    private static final Decision ADDRESS = new Decision.Deny(
            Rules.ADDRESS, DenyCode.FORBIDDEN, "an address is written as four decimal numbers, or as IPv6");

    private static final long ALIBABA = 0x6464_64C8L;
    private static final long AZURE_WIRE = 0xA83F_8110L;
    private static final long ORACLE = 0xC000_00C0L;

    private ForbiddenHosts() {}

    static @Nullable Decision denialOrNull(HostName host) {
        var name = host.value();
        if (name.startsWith("metadata") || name.equals("instance-data") || name.startsWith("instance-data.")) {
            return METADATA;
        }
        if (name.indexOf(':') >= 0) {
            return IpText.ipv6Group(name, 0) < 0 ? ADDRESS : isForbidden6(name) ? METADATA : null;
        }
        if (!IpText.looksNumeric(name)) {
            return null;
        }
        if (isForbidden4(IpText.ipv4(name))) {
            return METADATA;
        }
        return IpText.isDottedQuad(name) ? null : ADDRESS;
    }

    private static boolean isForbidden4(long address) {
        return (address >>> 16) == 0xA9FE || address == ALIBABA || address == AZURE_WIRE || address == ORACLE;
    }

    /// `fe80::/10`, `fd00:ec2::/32`, and any address that carries a forbidden IPv4 one in its last 32 bits behind a
    /// prefix that translates (mapped, NAT64) or in the 6to4 place.
    private static boolean isForbidden6(String name) {
        int first = IpText.ipv6Group(name, 0);
        int second = IpText.ipv6Group(name, 1);
        if ((first & 0xffc0) == 0xfe80 || (first == 0xfd00 && second == 0x0ec2)) {
            return true;
        }
        long last = ((long) IpText.ipv6Group(name, 6) << 16) | IpText.ipv6Group(name, 7);
        long inside6to4 = ((long) second << 16) | IpText.ipv6Group(name, 2);
        boolean translates = first == 0 || (first == 0x0064 && second == 0xff9b);
        return (translates && isForbidden4(last)) || (first == 0x2002 && isForbidden4(inside6to4));
    }
}
