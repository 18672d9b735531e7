package dev.cagewright.sandbox.kernel;

import dev.cagewright.policy.action.ByteString;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// Datagrams with the address they were sent to, ip(7) and ipv6(7) `PKTINFO`, so that an answer can leave
/// from the address that was asked. One object a socket, which it does not own; questions are received by one
/// thread.
public final class DatagramSocketCalls implements AutoCloseable {
    /// `struct msghdr` and `struct cmsghdr` of a 64-bit C library.
    private static final long HEADER_SIZE = 56;

    private static final long NAME = 0;
    private static final long NAME_SIZE = 8;
    private static final long IOV = 16;
    private static final long IOV_COUNT = 24;
    private static final long CONTROL = 32;
    private static final long CONTROL_SIZE = 40;
    private static final long FLAGS = 48;
    private static final long CONTROL_LEVEL = 8;
    private static final long CONTROL_TYPE = 12;
    private static final long CONTROL_DATA = 16;
    private static final long SPACE = 256;

    /// `struct sockaddr_in6`, the longest of both.
    private static final long PEER_SPACE = 28;

    private static final int IPPROTO_IP = 0;
    private static final int IP_PKTINFO = 8;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_PKTINFO = 50;

    /// `struct in_pktinfo`: index, the local address, the address of the header.
    private static final long INFO4_SIZE = 12;

    private static final long INFO4_LOCAL = 4;
    private static final long INFO4_ASKED = 8;

    /// `struct in6_pktinfo`: the address, the index.
    private static final long INFO6_SIZE = 20;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_NOSIGNAL = 0x4000;

    private static final CFunction SENDMSG = CFunction.ofLong("sendmsg");
    private static final CFunction RECVMSG = CFunction.ofLong("recvmsg");

    private final int socket;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment peer = arena.allocate(PEER_SPACE, 8);
    private final MemorySegment control = arena.allocate(SPACE, 8);
    private final MemorySegment vector = arena.allocate(16, 8);
    private final MemorySegment header = arena.allocate(HEADER_SIZE, 8);
    private final MemorySegment data;

    /// @param socket non-blocking or not, with `IP_PKTINFO` or `IPV6_RECVPKTINFO` set
    /// @param maxBytes the longest datagram that is taken or sent
    public DatagramSocketCalls(int socket, int maxBytes) {
        this.socket = socket;
        this.data = arena.allocate(maxBytes, 8);
    }

    /// One datagram.
    ///
    /// @param reply how [#send] finds the way back
    public record Received(ByteString bytes, Reply reply) {}

    /// Who asked, and whom.
    ///
    /// @param peer a `struct sockaddr`
    /// @param info the control message that makes the answer leave from the address that was asked
    public record Reply(ByteString peer, ByteString info) {}

    /// The next datagram; empty when there is none now, or when it is no use: cut off, or without its
    /// address.
    public Optional<Received> receive() throws KernelException {
        prepare();
        long size;
        do {
            size = RECVMSG.call(socket, header.address(), MSG_DONTWAIT);
        } while (size == -Errno.EINTR);
        if (size == -Errno.EAGAIN) {
            return Optional.empty();
        }
        KernelException.check(size, "recvmsg");
        boolean isCut = (header.get(ValueLayout.JAVA_INT, FLAGS) & MSG_TRUNC) != 0;
        var info = isCut ? new byte[0] : replyInfo();
        if (info.length == 0) {
            return Optional.empty();
        }
        var from = peer.asSlice(0, header.get(ValueLayout.JAVA_INT, NAME_SIZE)).toArray(ValueLayout.JAVA_BYTE);
        return Optional.of(new Received(
                ByteString.copyOf(data.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE)),
                new Reply(ByteString.copyOf(from), ByteString.copyOf(info))));
    }

    /// The control message of the answer, from that of the question; empty if there is none.
    private byte[] replyInfo() {
        if (header.get(ValueLayout.JAVA_LONG, CONTROL_SIZE) < CONTROL_DATA) {
            return new byte[0];
        }
        int level = control.get(ValueLayout.JAVA_INT, CONTROL_LEVEL);
        int type = control.get(ValueLayout.JAVA_INT, CONTROL_TYPE);
        if (level == IPPROTO_IP && type == IP_PKTINFO) {
            var asked = control.get(ValueLayout.JAVA_INT, CONTROL_DATA + INFO4_ASKED);
            control.set(ValueLayout.JAVA_INT, CONTROL_DATA, 0);
            control.set(ValueLayout.JAVA_INT, CONTROL_DATA + INFO4_LOCAL, asked);
            return control.asSlice(0, CONTROL_DATA + INFO4_SIZE).toArray(ValueLayout.JAVA_BYTE);
        }
        if (level == IPPROTO_IPV6 && type == IPV6_PKTINFO) {
            control.set(ValueLayout.JAVA_INT, CONTROL_DATA + 16, 0);
            return control.asSlice(0, CONTROL_DATA + INFO6_SIZE).toArray(ValueLayout.JAVA_BYTE);
        }
        return new byte[0];
    }

    /// Sends `bytes` through `socket` to whom `reply` names, or nobody when the kernel will not take it now:
    /// a datagram may be lost. Safe for all threads.
    public static void send(int socket, byte[] bytes, Reply reply) throws KernelException {
        try (var own = Arena.ofConfined()) {
            var message = own.allocate(HEADER_SIZE, 8);
            var parts = own.allocate(16, 8);
            fill(message, own.allocateFrom(ValueLayout.JAVA_BYTE, reply.peer().toByteArray()), NAME, NAME_SIZE);
            fill(message, own.allocateFrom(ValueLayout.JAVA_BYTE, reply.info().toByteArray()), CONTROL, CONTROL_SIZE);
            fill(parts, own.allocateFrom(ValueLayout.JAVA_BYTE, bytes), 0, 8);
            message.set(ValueLayout.JAVA_LONG, IOV, parts.address());
            message.set(ValueLayout.JAVA_LONG, IOV_COUNT, 1);
            long sent;
            do {
                sent = SENDMSG.call(socket, message.address(), MSG_DONTWAIT | MSG_NOSIGNAL);
            } while (sent == -Errno.EINTR);
            if (sent != -Errno.EAGAIN) {
                KernelException.check(sent, "sendmsg");
            }
        }
    }

    private static void fill(MemorySegment struct, MemorySegment part, long pointer, long size) {
        struct.set(ValueLayout.JAVA_LONG, pointer, part.address());
        struct.set(ValueLayout.JAVA_LONG, size, part.byteSize());
    }

    private void prepare() {
        fill(vector, data, 0, 8);
        fill(header, peer, NAME, NAME_SIZE);
        fill(header, control, CONTROL, CONTROL_SIZE);
        header.set(ValueLayout.JAVA_LONG, IOV, vector.address());
        header.set(ValueLayout.JAVA_LONG, IOV_COUNT, 1);
        header.set(ValueLayout.JAVA_INT, FLAGS, 0);
    }

    @Override
    public void close() {
        arena.close();
    }
}
