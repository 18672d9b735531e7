package dev.cagewright.egress.address;

import java.util.Optional;

/// All addresses of one family that begin with the same bits, e.g. `10.0.0.0/8`.
///
/// @param base the first address of it; bits behind the prefix become zero
/// @param length bits that have to be the same: 0 to 32 for IPv4, 0 to 128 for IPv6
public record AddressRange(IpAddress base, int length) {
    private static final int MAPPED_BITS = 96;

    public AddressRange {
        int most = bits(base);
        if (length < 0 || length > most) {
            throw new IllegalArgumentException("prefix length: " + length + " (expected: 0 to " + most + ")");
        }
        var bytes = base.toByteArray();
        for (int bit = length; bit < most; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
        }
        base = IpAddress.of(bytes);
    }

    private static int bits(IpAddress address) {
        return address.isV4() ? 32 : 128;
    }

    /// Reads `10.0.0.0/8`, `fd00::/8`, or one address. A range of mapped addresses (`::ffff:10.0.0.0/104`) is the one
    /// of the IPv4 addresses.
    public static Optional<AddressRange> parse(String text) {
        int slash = text.indexOf('/');
        var address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        var base = address.get();
        if (slash < 0) {
            return Optional.of(new AddressRange(base, bits(base)));
        }
        boolean isMapped = base.isV4() && text.indexOf(':') >= 0;
        int length = number(text.substring(slash + 1)) - (isMapped ? MAPPED_BITS : 0);
        return length < 0 || length > bits(base) ? Optional.empty() : Optional.of(new AddressRange(base, length));
    }

    private static int number(String text) {
        return text.matches("[0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]") ? Integer.parseInt(text) : -1;
    }

    static AddressRange known(String text) {
        return parse(text).orElseThrow(() -> new IllegalArgumentException("range: " + text + " (expected: a prefix)"));
    }

    public boolean contains(IpAddress address) {
        if (address.isV4() != base.isV4()) {
            return false;
        }
        int whole = length / 8;
        for (int i = 0; i < whole; i++) {
            if (address.at(i) != base.at(i)) {
                return false;
            }
        }
        int rest = length % 8;
        return rest == 0 || ((address.at(whole) ^ base.at(whole)) & 0xff) >>> (8 - rest) == 0;
    }

    /// Is this exactly one address?
    public boolean isOneAddress() {
        return length == bits(base);
    }

    @Override
    public String toString() {
        return isOneAddress() ? base.toString() : base + "/" + length;
    }
}
