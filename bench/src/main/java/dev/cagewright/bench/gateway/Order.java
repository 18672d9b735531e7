package dev.cagewright.bench.gateway;

import java.time.Duration;
import java.util.Locale;

/// What a [Load] process is asked to do: one line, words apart by blanks.
///
/// @param name whom TLS and the `Host` field name
/// @param target the address or name that is dialled
/// @param proxy a port of loopback that is asked with `CONNECT` instead, or 0
/// @param roots a PEM file of the certificates that may vouch for the origin, or [#TRUSTED]
record Order(
        String name,
        String target,
        int port,
        int proxy,
        String roots,
        String path,
        Style style,
        int connections,
        Duration time) {
    /// The file that the client's surroundings name, as programs of OpenSSL have it.
    static final String TRUSTED = "trusted";

    /// What comes after an answer.
    enum Style {
        /// The next request on the same connection.
        KEEPS,
        /// Another connection, with a whole handshake.
        CLOSES
    }

    Order of(String otherPath, Style otherStyle, int otherConnections, Duration otherTime) {
        return new Order(name, target, port, proxy, roots, otherPath, otherStyle, otherConnections, otherTime);
    }

    static Order read(String line) {
        var words = line.split(" ", -1);
        return new Order(
                words[0],
                words[1],
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                words[4],
                words[5],
                Style.valueOf(words[6]),
                Integer.parseInt(words[7]),
                Duration.ofMillis(Long.parseLong(words[8])));
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%s %s %d %d %s %s %s %d %d",
                name,
                target,
                port,
                proxy,
                roots,
                path,
                style,
                connections,
                time.toMillis());
    }
}
