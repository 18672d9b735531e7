package dev.cagewright.egress.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/// An IPv4 or IPv6 address as its bytes in network order. An IPv4 address that IPv6 carries (`::ffff:0:0/96`) is the
/// IPv4 address, so that no rule can be passed in the other spelling. Immutable.
public final class IpAddress {
    private static final int V4 = 4;
    private static final int V6 = 16;

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The address of these bytes.
    ///
    /// @throws IllegalArgumentException unless there are 4 or 16
    public static IpAddress of(byte[] bytes) {
        if (bytes.length != V4 && bytes.length != V6) {
            throw new IllegalArgumentException("address: " + bytes.length + " bytes (expected: 4 or 16)");
        }
        return new IpAddress(isMapped(bytes) ? Arrays.copyOfRange(bytes, V6 - V4, V6) : bytes.clone());
    }

    public static IpAddress of(InetAddress address) {
        return of(address.getAddress());
    }

    /// Reads an address that every program reads alike: four decimal numbers without leading zeros, or IPv6 as RFC
    /// 4291 section 2.2 has it. Empty for names, for the other spellings of `inet_aton(3)`, and for IPv6 addresses
    /// with a zone or in brackets. Looks nothing up.
    public static Optional<IpAddress> parse(String text) {
        return AddressText.read(text).map(IpAddress::of);
    }

    /// The address that `text` is known to be.
    static IpAddress known(String text) {
        return parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "address: " + text + " (expected: a dotted quad or an IPv6 address)"));
    }

    private static boolean isMapped(byte[] bytes) {
        if (bytes.length != V6 || bytes[10] != -1 || bytes[11] != -1) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean isV4() {
        return bytes.length == V4;
    }

    public byte[] toByteArray() {
        return bytes.clone();
    }

    /// For a socket; looks nothing up.
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    byte at(int index) {
        return bytes[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The one spelling of it: a dotted quad, or IPv6 as RFC 5952 section 4 has it, without brackets.
    @Override
    public String toString() {
        return AddressText.write(bytes);
    }
}
