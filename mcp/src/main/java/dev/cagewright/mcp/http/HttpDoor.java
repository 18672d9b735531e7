package dev.cagewright.mcp.http;

import dev.cagewright.mcp.door.Faults;
import dev.cagewright.mcp.door.Reception;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.stdio.StdioDoor;
import dev.cagewright.supervisor.hatch.Hatch;
import dev.cagewright.supervisor.hatch.Peers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/// Serves any number of clients over HTTP on this machine, in both eras of the protocol at one address: on a socket of
/// the file system, for the same user, or on loopback, for who has the token. Safe for all threads.
public final class HttpDoor implements AutoCloseable {
    /// Where the protocol is; there is nothing else.
    public static final String PATH = "/mcp";

    /// Requests at once: as many as are worked on, and some streams that only listen. Each needs one connection.
    private static final int PLACES = 2 * Reception.MOST_UNDER_WAY;

    /// How long a client may take to send its request, or to take a piece of the answer.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int TOKEN_BYTES = 32;

    private final Hatch hatch;
    private final Reception reception;
    private final Sessions sessions;
    private final Place place;

    private HttpDoor(Offer offer, ServerSocketChannel listening, Place place, Predicate<SocketChannel> welcome) {
        this.place = place;
        this.reception = new Reception(offer, Faults.LOGGED);
        this.sessions = new Sessions(reception);
        var desk = new Desk(new Doorkeeper(place.port(), place.token()), reception, sessions);
        var terms = new Hatch.Terms(StdioDoor.MAX_FRAME, PLACES, PATIENCE);
        this.hatch = Hatch.attended(listening, terms, welcome, desk);
    }

    /// Where a door is.
    ///
    /// @param port on loopback; empty on a socket of the file system
    /// @param socket in the file system
    /// @param token that a client has to bring
    private record Place(String host, OptionalInt port, Optional<Path> socket, Optional<String> token) {}

    /// Opens a door on loopback, with a new token.
    ///
    /// @param address of loopback; port 0 is one that is free
    /// @throws IOException if it cannot be had, or is not loopback
    public static HttpDoor loopback(Offer offer, InetSocketAddress address) throws IOException {
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            throw new IOException("%s is not loopback: MCP is served on this machine only (127.0.0.1, ::1)"
                    .formatted(address.getHostString()));
        }
        var listening = ServerSocketChannel.open();
        try {
            listening.bind(address);
            int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
            var host = address.getAddress().getHostAddress();
            var place = new Place(
                    host.contains(":") ? "[::1]" : host,
                    OptionalInt.of(port),
                    Optional.empty(),
                    Optional.of(newToken()));
            return new HttpDoor(offer, listening, place, _ -> true);
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
    }

    private static String newToken() {
        var bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Opens a door on a socket of the file system, for this user alone; whoever else connects is cut off.
    ///
    /// @param socket in a folder that only this user can enter; the folder is made if it is not there
    /// @throws IOException if it cannot be had, somebody listens there, or others could enter the folder
    public static HttpDoor unix(Offer offer, Path socket) throws IOException {
        var own = SocketFile.at(socket);
        var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listening.bind(UnixDomainSocketAddress.of(own.fresh()));
            own.show();
            var place = new Place("localhost", OptionalInt.empty(), Optional.of(own.path()), Optional.empty());
            return new HttpDoor(offer, listening, place, Peers.only(own.user()));
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
    }

    /// Where clients go. On a socket of the file system the host is only a word.
    public String url() {
        return "http://" + place.host()
                + (place.port().isPresent() ? ":" + place.port().getAsInt() : "") + PATH;
    }

    /// The socket in the file system.
    public Optional<Path> socket() {
        return place.socket();
    }

    /// What clients have to bring (`Authorization: Bearer TOKEN`); none on a socket of the file system.
    public Optional<String> token() {
        return place.token();
    }

    /// Ends every connection and every request.
    @Override
    public void close() {
        hatch.close();
        sessions.close();
        reception.close();
        place.socket().ifPresent(HttpDoor::remove);
    }

    private static void remove(Path socket) {
        try {
            Files.deleteIfExists(socket);
        } catch (IOException _) {
            return; // nobody listens there
        }
    }
}
