package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.kernel.ControlSocket;
import dev.cagewright.sandbox.kernel.KernelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The messages between this process and the helper; the mirror of `wire.h`.
final class Wire {
    /// Where the spawn server finds its socket.
    static final int CONTROL_DESCRIPTOR = 3;

    static final int BLANK = 1;
    static final int EXEC = 2;
    static final int SIGNAL = 3;
    static final int PAUSE = 4;
    static final int RESUME = 5;
    static final int KILL = 6;
    static final int FILL = 7;
    static final int DROP = 8;
    static final int SPAWNED = 10;
    static final int READY = 11;
    static final int FAILED = 12;
    static final int STARTED = 13;
    static final int REFUSED = 14;
    static final int ENDED = 15;
    static final int DONE = 16;
    static final int STOPPED = 18;
    static final int SOCKET = 19;
    static final int DIAL = 20;
    static final int ACT = 21;
    static final int COVER = 22;
    static final int UNCOVERED = 23;

    /// Of `enum ready`: descriptors of [CoverDoors] come last.
    static final long READY_DOORS = 2;

    private static final int VALUES = 4;
    private static final int BARE = 8 + 8 * VALUES;
    private static final int MAX_TEXT = 1024;

    private Wire() {}

    /// What the helper said.
    ///
    /// @param text ISO 8859-1, one char a byte
    record Answer(int kind, int run, List<Long> values, String text, List<Integer> descriptors) {
        long value() {
            return values.getFirst();
        }
    }

    /// A message to the helper.
    ///
    /// @param values at most four
    record Order(int kind, int run, List<Long> values) {
        Order(int kind, int run, long value) {
            this(kind, run, List.of(value));
        }
    }

    static void send(int socket, Order order, List<Integer> descriptors) throws KernelException {
        var bytes = ByteBuffer.allocate(BARE).order(ByteOrder.nativeOrder());
        bytes.putInt(order.kind()).putInt(order.run());
        order.values().forEach(bytes::putLong);
        ControlSocket.send(socket, bytes.array(), descriptors);
    }

    /// The next message, or empty when the other end is gone.
    static Optional<Answer> receive(int socket) throws KernelException {
        return ControlSocket.receive(socket, BARE + MAX_TEXT).map(Wire::decode);
    }

    private static Answer decode(ControlSocket.Message message) {
        var bytes = message.bytes();
        int kind = bytes.getInt();
        int run = bytes.getInt();
        var values = List.of(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
        var text = StandardCharsets.ISO_8859_1.decode(bytes).toString();
        return new Answer(kind, run, values, text, message.descriptors());
    }
}
