package dev.cagewright.policy.match;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.quantity.Field;

/// Which hosts a rule means: one name, or `*.example.com`, which is every name below `example.com`, at any depth,
/// and never `example.com` itself. An IP address has one spelling, whichever its author wrote.
///
/// @param suffix the name, or what stands behind `*.`
public record HostPattern(HostName suffix, Kind kind) {

    /// How much a pattern means.
    public enum Kind {
        EXACT,
        BELOW
    }

    /// Reads a pattern.
    ///
    /// @throws IllegalArgumentException naming `field` and what is accepted
    public static HostPattern parse(String field, String text) {
        try {
            var kind = text.startsWith("*.") ? Kind.BELOW : Kind.EXACT;
            var suffix = new HostName(kind == Kind.BELOW ? text.substring(2) : text);
            boolean isNumeric =
                    IpText.looksNumeric(suffix.value()) || suffix.value().indexOf(':') >= 0;
            if (!isNumeric) {
                return new HostPattern(suffix, kind);
            }
            if (kind == Kind.EXACT && IpText.isCanonical(suffix.value())) {
                return new HostPattern(new HostName(IpText.canonical(suffix.value())), kind);
            }
        } catch (IllegalArgumentException _) {
            throw refusal(field, text);
        }
        throw refusal(field, text);
    }

    private static IllegalArgumentException refusal(String field, String text) {
        return Field.refusal(
                field, text, "a host name such as api.example.com, an IP address, or *.example.com with nothing else");
    }

    public boolean matches(HostName host) {
        return switch (kind) {
            case EXACT -> host.equals(suffix);
            case BELOW -> host.value().endsWith("." + suffix.value());
        };
    }

    /// Does this pattern mean every host that `other` means?
    public boolean covers(HostPattern other) {
        return switch (kind) {
            case EXACT -> equals(other);
            case BELOW -> other.suffix.value().endsWith("." + suffix.value()) || equals(other);
        };
    }

    @Override
    public String toString() {
        return kind == Kind.BELOW ? "*." + suffix.value() : suffix.value();
    }
}
