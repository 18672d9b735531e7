package dev.cagewright.mcp.remote;

import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.supervisor.fetch.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What comes back for one request: events, handed on as they come, or a body that is kept until it is whole. For one
/// request.
final class Hearing implements HostClient.Taker {
    /// The longest message, bytes; that of a server that is a program.
    static final int MOST = 16 << 20;

    /// How much is kept of what is no message: enough for a refusal of the gateway's.
    private static final int MOST_OTHER = 64 << 10;

    private static final HostAnswer.Head NONE = new HostAnswer.Head(0, Optional.empty(), List.of());

    private final Listener listener;
    private final EventParser events;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private volatile HostAnswer.Head head = NONE;

    /// Who hears it, on a thread that may wait.
    interface Listener {
        /// The head came.
        ///
        /// @throws IOException if no more is wanted
        void begun(HostAnswer.Head head) throws IOException;

        /// An event that is a message came.
        ///
        /// @throws IOException if no more is wanted
        void event(byte[] data) throws IOException;
    }

    Hearing(Listener listener) {
        this.listener = listener;
        this.events = new EventParser(MOST, (type, data) -> {
            if (data.length > 0 && (type.isEmpty() || type.equals("message"))) {
                listener.event(data);
            }
        });
    }

    @Override
    public OutputStream begin(HostAnswer.Head begun) throws IOException {
        head = begun;
        listener.begun(begun);
        return isStream() ? events : new Kept(isJson() ? MOST : MOST_OTHER);
    }

    int status() {
        return head.status();
    }

    boolean isGood() {
        return status() / 100 == 2;
    }

    boolean isStream() {
        return isGood() && type().equals("text/event-stream");
    }

    boolean isJson() {
        return type().equals("application/json");
    }

    /// The type of its content, without parameters; empty if it has none.
    String type() {
        return head.contentType()
                .map(type -> type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT))
                .orElse("");
    }

    Optional<String> field(String name) {
        return head.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .findFirst();
    }

    /// What was kept of it.
    byte[] body() {
        return body.toByteArray();
    }

    /// What the gateway said instead of the server, if it did.
    Optional<Problem> problem() {
        return Problem.isTold(head) ? Problem.read(body()) : Optional.empty();
    }

    EventParser events() {
        return events;
    }

    private final class Kept extends OutputStream {
        private final int most;

        Kept(int most) {
            this.most = most;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int at, int count) throws IOException {
            if (body.size() + count > most) {
                throw new UnreadableException("sent more than " + most + " bytes at once");
            }
            body.write(from, at, count);
        }
    }
}
