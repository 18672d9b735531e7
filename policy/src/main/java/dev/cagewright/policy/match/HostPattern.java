package dev.cagewright.policy.match;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.quantity.Field;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which hosts a rule means: one name, or `*.example.com`, which is every name below `example.com`, at any depth,
/// and never `example.com` itself. An IP address has one spelling, whichever its author wrote.
///
/// @param suffix the name, or what stands behind `*.`
public record HostPattern(HostName suffix, Kind kind) {

    private static final Pattern URL =
            Pattern.compile("([A-Za-z]+://)?(?<host>[^:/]{1,253})(:(?<port>[1-9][0-9]{0,4}))?(?<path>/[!-~]{0,200})?");

    /// How much a pattern means.
    public enum Kind {
        EXACT,
        BELOW
    }

    /// Reads a pattern.
    ///
    /// @throws IllegalArgumentException naming `field`, what is accepted, and what a URL should have been
    public static HostPattern parse(String field, String text) {
        return read(text)
                .orElseThrow(
                        () -> Field.refusal(
                                field,
                                text,
                                meant(text)
                                        + "a host name such as api.example.com, an IP address, or *.example.com with nothing else"));
    }

    private static Optional<HostPattern> read(String text) {
        try {
            var kind = text.startsWith("*.") ? Kind.BELOW : Kind.EXACT;
            var suffix = new HostName(kind == Kind.BELOW ? text.substring(2) : text);
            boolean isNumeric =
                    IpText.looksNumeric(suffix.value()) || suffix.value().indexOf(':') >= 0;
            if (!isNumeric) {
                return Optional.of(new HostPattern(suffix, kind));
            }
            return kind == Kind.EXACT && IpText.isCanonical(suffix.value())
                    ? Optional.of(new HostPattern(new HostName(IpText.canonical(suffix.value())), kind))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The keys that say what a URL, a host with a port or path, or one with blanks around it says.
    private static String meant(String text) {
        var parts = URL.matcher(text.strip());
        if (!parts.matches() || read(parts.group("host")).isEmpty()) {
            return "";
        }
        var port = parts.group("port");
        var path = parts.group("path");
        return "host: " + parts.group("host")
                + (port == null ? "" : ", port: " + port)
                + (path == null || path.equals("/") ? "" : ", paths: [\"" + path + "\"]")
                + "; or ";
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
