package dev.cagewright.mcp.http;

import dev.cagewright.mcp.door.Reception;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The sessions of all clients of one door: bounded in number, each gone once it is idle for long. Safe for all
/// threads.
final class Sessions implements AutoCloseable {
    static final int MOST = 256;
    static final Duration IDLE = Duration.ofMinutes(30);

    private static final int ID_BYTES = 24;

    private final Reception reception;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, HttpSession> open = new ConcurrentHashMap<>();

    Sessions(Reception reception) {
        this.reception = reception;
    }

    /// A session that is not open yet.
    ///
    /// @return empty if all places are taken by clients that are there
    synchronized Optional<HttpSession> make() {
        open.forEach((id, session) -> {
            if (session.idle() > IDLE.toNanos()) {
                close(id);
            }
        });
        if (open.size() >= MOST) {
            open.entrySet().stream()
                    .filter(one -> one.getValue().idle() > 0)
                    .max(Comparator.comparingLong(one -> one.getValue().idle()))
                    .ifPresent(one -> close(one.getKey()));
        }
        return open.size() >= MOST ? Optional.empty() : Optional.of(new HttpSession(reception));
    }

    /// Gives an opened session the name that its client has to bring: random, visible ASCII.
    String keep(HttpSession session) {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        var id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        open.put(id, session);
        return id;
    }

    Optional<HttpSession> get(String id) {
        return Optional.ofNullable(open.get(id)).filter(session -> session.idle() <= IDLE.toNanos());
    }

    /// Ends a session.
    ///
    /// @return no, if there is none of that name
    boolean close(String id) {
        var session = open.remove(id);
        if (session == null) {
            return false;
        }
        session.close();
        return true;
    }

    @Override
    public void close() {
        open.keySet().forEach(this::close);
    }
}
