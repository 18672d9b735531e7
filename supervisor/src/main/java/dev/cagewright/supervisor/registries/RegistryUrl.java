package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.Registry;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The host and port of a registry's address. A user and a password in it are passed over and never shown.
final class RegistryUrl {
    private static final Pattern URL = Pattern.compile(
            "(?:sparse\\+|mirror\\+)?(https?)://(?:[^/@\\s]*@)?(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?(?:[/?#].*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern OTHER = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*", Pattern.DOTALL);
    private static final int HIGHEST_PORT = 65_535;

    private RegistryUrl() {}

    /// The host of `text`; nothing for an address that is not of the web, such as `file:`.
    ///
    /// @param from what names it, for people
    /// @throws UnknownRegistryException if it is no address
    static Optional<Registry.Host> host(String text, String from) throws UnknownRegistryException {
        var url = URL.matcher(text.strip());
        if (!url.matches()) {
            if (OTHER.matcher(text.strip()).matches()
                    && !text.strip().toLowerCase(Locale.ROOT).startsWith("http")) {
                return Optional.empty();
            }
            throw new UnknownRegistryException(from + " names a registry that is no http(s) address: " + shown(text));
        }
        int usual = url.group(1).equalsIgnoreCase("https") ? 443 : 80;
        int port = url.group(3) == null ? usual : Integer.parseInt(url.group(3));
        if (port < 1 || port > HIGHEST_PORT) {
            throw new UnknownRegistryException(from + " names port " + port + " (expected: 1 to 65535)");
        }
        var host = url.group(2).replace("[", "").replace("]", "").toLowerCase(Locale.ROOT);
        return Optional.of(new Registry.Host(host, port, from));
    }

    /// The addresses of the web among the words of `text`, as they stand but without users and passwords.
    static String bare(String text) {
        return text.strip().replaceAll("(?i)(https?://)[^/@\\s]*@", "$1").replaceAll("\\s+", " ");
    }

    /// Without what may be a password.
    private static String shown(String text) {
        var bare = text.strip().replaceAll("//[^/]*@", "//...@");
        return ByteString.of(bare.length() > 100 ? bare.substring(0, 100) : bare)
                .printable();
    }
}
