package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Connecting a stream socket to the loopback of the network that it was made in, connect(2).
public final class LoopbackCalls {
    /// `struct sockaddr_in` and `sockaddr_in6`, ip(7) and ipv6(7).
    private static final long SIZE4 = 16;

    private static final long SIZE6 = 28;
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final short POLLOUT = 4;
    private static final long SOL_SOCKET = 1;
    private static final long SO_ERROR = 4;

    private static final ValueLayout.OfShort BIG = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final CFunction CONNECT = CFunction.ofInt("connect");
    private static final CFunction POLL = CFunction.ofInt("poll");
    private static final CFunction GETSOCKOPT = CFunction.ofInt("getsockopt");

    private LoopbackCalls() {}

    /// Connects `socket`, which is non-blocking, to 127.0.0.1.
    ///
    /// @param patience milliseconds
    /// @throws KernelException if nobody listens there, or nobody accepts in time
    public static void connect4(int socket, int port, int patience) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(SIZE4, 8);
            address.set(ValueLayout.JAVA_SHORT, 0, AF_INET);
            address.set(BIG, 2, (short) port);
            address.set(ValueLayout.JAVA_BYTE, 4, (byte) 127);
            address.set(ValueLayout.JAVA_BYTE, 7, (byte) 1);
            connect(socket, address, patience);
        }
    }

    /// Connects `socket`, which is non-blocking, to `[::1]`.
    ///
    /// @param patience milliseconds
    /// @throws KernelException if nobody listens there, or nobody accepts in time
    public static void connect6(int socket, int port, int patience) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(SIZE6, 8);
            address.set(ValueLayout.JAVA_SHORT, 0, AF_INET6);
            address.set(BIG, 2, (short) port);
            address.set(ValueLayout.JAVA_BYTE, 23, (byte) 1);
            connect(socket, address, patience);
        }
    }

    private static void connect(int socket, MemorySegment address, int patience) throws KernelException {
        long result = CONNECT.call(socket, address.address(), address.byteSize());
        if (result == -Errno.EINPROGRESS) {
            awaitEnd(socket, patience);
        } else {
            KernelException.check(result, "connect");
        }
    }

    private static void awaitEnd(int socket, int patience) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var entry = arena.allocate(8, 8);
            entry.set(ValueLayout.JAVA_INT, 0, socket);
            entry.set(ValueLayout.JAVA_SHORT, 4, POLLOUT);
            long ready = KernelException.check(POLL.call(entry.address(), 1, patience), "poll");
            var error = arena.allocate(8, 8);
            var size = arena.allocate(8, 8);
            size.set(ValueLayout.JAVA_INT, 0, 4);
            KernelException.check(
                    GETSOCKOPT.call(socket, SOL_SOCKET, SO_ERROR, error.address(), size.address()), "getsockopt");
            int errno = ready == 0 ? Errno.ETIMEDOUT : error.get(ValueLayout.JAVA_INT, 0);
            if (errno != 0) {
                throw new KernelException("connect", errno);
            }
        }
    }
}
