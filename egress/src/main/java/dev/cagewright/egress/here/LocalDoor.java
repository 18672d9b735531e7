package dev.cagewright.egress.here;

import dev.cagewright.policy.action.HostName;
import java.nio.file.Path;

/// A door of the gateway's on the host itself, to one destination.
///
/// @param socket where a unix socket is made, in a folder that is the owner's alone; its name is at most 100 bytes long
/// @param port 1 to 65535
public record LocalDoor(Path socket, HostName host, int port) {
    /// `sun_path` of unix(7) has 108 bytes.
    private static final int LONGEST = 100;

    public LocalDoor {
        if (socket.toString().length() > LONGEST) {
            throw new IllegalArgumentException(
                    "socket: " + socket + " (expected: at most " + LONGEST + " bytes; name a shorter TMPDIR)");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }
}
