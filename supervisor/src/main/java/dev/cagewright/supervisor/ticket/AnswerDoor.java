package dev.cagewright.supervisor.ticket;

import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.hatch.Hatch;
import dev.cagewright.supervisor.hatch.Peers;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// A door of this machine's at which links are followed, while it is open. Whoever opens it closes it.
public final class AnswerDoor implements Closeable {
    private static final Hatch.Terms TERMS = new Hatch.Terms(4 << 10, 16, Duration.ofSeconds(10));

    private final AnswerPlace place;
    private final Hatch hatch;
    private final Links links;
    private final Optional<Closeable> published;
    private final String base;

    private AnswerDoor(AnswerPlace place, Hatch hatch, Links links, String base, Optional<Closeable> published) {
        this.place = place;
        this.hatch = hatch;
        this.links = links;
        this.base = base;
        this.published = published;
    }

    /// Opens it.
    ///
    /// @param outside how it is called from elsewhere, where the person has it carried there: `https://HOST/`
    /// @throws IOException if it cannot listen there
    public static AnswerDoor open(StateFolders folders, AnswerPlace place, Optional<URI> outside) throws IOException {
        var key = TicketKey.of(folders);
        var listening = place.bound();
        try {
            var inside = inside(place, listening);
            var base = outside.map(AnswerDoor::base).orElse(inside);
            var clerk = new AnswerClerk(
                    new PendingQuestions(folders), key, surroundings(place, inside, outside), InstantSource.system());
            var published = isNamed(place, outside) ? Publication.of(folders, base) : Optional.<Closeable>empty();
            var hatch = Hatch.open(listening, TERMS, welcome(place, folders), clerk);
            return new AnswerDoor(place, hatch, new Links(base, key), base, published);
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
    }

    /// Can a link be followed by whoever gets it, and not by this machine's socket alone?
    private static boolean isNamed(AnswerPlace place, Optional<URI> outside) {
        return outside.isPresent() || place instanceof AnswerPlace.Loopback;
    }

    private static String inside(AnswerPlace place, ServerSocketChannel listening) throws IOException {
        return switch (place) {
            case AnswerPlace.Socket _ -> "http://localhost";
            case AnswerPlace.Loopback(String literal, int _) ->
                "http://" + literal + ":" + ((InetSocketAddress) listening.getLocalAddress()).getPort();
        };
    }

    /// @throws IllegalArgumentException naming the accepted form
    private static String base(URI outside) {
        boolean isHttp = Objects.equals(outside.getScheme(), "https") || Objects.equals(outside.getScheme(), "http");
        var path = outside.getRawPath() == null ? "" : outside.getRawPath();
        if (!isHttp
                || outside.getHost() == null
                || outside.getUserInfo() != null
                || outside.getRawQuery() != null
                || outside.getRawFragment() != null
                || !(path.isEmpty() || path.equals("/"))) {
            throw new IllegalArgumentException(
                    "--url: (expected: https://HOST/, as the door is called from elsewhere)");
        }
        return outside.getScheme() + "://" + outside.getRawAuthority();
    }

    private static Surroundings surroundings(AnswerPlace place, String inside, Optional<URI> outside) {
        if (place instanceof AnswerPlace.Socket && outside.isEmpty()) {
            return new Surroundings(Set.of(), Set.of(inside));
        }
        var origins = new HashSet<>(Set.of(inside));
        if (place instanceof AnswerPlace.Loopback) {
            origins.add("http://localhost" + inside.substring(inside.lastIndexOf(':')));
        }
        outside.map(AnswerDoor::base).ifPresent(origins::add);
        var authorities = new HashSet<String>();
        origins.forEach(origin -> authorities.add(origin.substring(origin.indexOf("://") + 3)));
        return new Surroundings(authorities, origins);
    }

    /// A unix socket says who is there; at a port the ticket alone counts.
    private static Predicate<SocketChannel> welcome(AnswerPlace place, StateFolders folders) throws IOException {
        return place instanceof AnswerPlace.Socket
                ? Peers.only(((Number) Files.getAttribute(folders.state(), "unix:uid")).longValue())
                : _ -> true;
    }

    /// Where links lead.
    public String base() {
        return base;
    }

    public Links links() {
        return links;
    }

    /// Do messages to the person's webhook name it? Another door may be named already, and a socket has no name.
    public boolean isPublished() {
        return published.isPresent();
    }

    @Override
    public void close() throws IOException {
        hatch.close();
        if (published.isPresent()) {
            published.get().close();
        }
        if (place instanceof AnswerPlace.Socket(Path path)) {
            Files.deleteIfExists(path);
        }
    }
}
