package dev.cagewright.supervisor.hatch;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.util.function.Predicate;
import jdk.net.ExtendedSocketOptions;

/// Who sits at the other end of a unix socket, as the kernel says: `SO_PEERCRED`, unix(7).
public final class Peers {
    private Peers() {}

    /// Lets in whoever runs as `user`, and nobody who cannot be told.
    ///
    /// @param user the host's number of it
    /// @throws IOException if there can be no such user
    public static Predicate<SocketChannel> only(long user) throws IOException {
        UserPrincipal expected =
                FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(Long.toString(user));
        return channel -> {
            try {
                return channel.getOption(ExtendedSocketOptions.SO_PEERCRED)
                        .user()
                        .equals(expected);
            } catch (IOException | UnsupportedOperationException _) {
                return false;
            }
        };
    }
}
