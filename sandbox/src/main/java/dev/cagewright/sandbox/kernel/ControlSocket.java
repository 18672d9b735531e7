package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A pair of `SOCK_SEQPACKET` sockets that carries messages with descriptors, unix(7). Message
/// boundaries are kept; a message that comes is whole or not at all.
public final class ControlSocket {
    /// linux/net.h, linux/socket.h: the same on every architecture of Linux but MIPS and PA-RISC.
    private static final int AF_UNIX = 1;

    private static final int SOCK_SEQPACKET = 5;
    private static final int SOCK_CLOEXEC = FileControl.O_CLOEXEC;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;

    /// `struct msghdr` of a 64-bit C library.
    private static final long HEADER_SIZE = 56;

    private static final long IOV = 16;
    private static final long IOV_COUNT = 24;
    private static final long CONTROL = 32;
    private static final long CONTROL_SIZE = 40;
    private static final long FLAGS = 48;

    /// `struct cmsghdr`.
    private static final long RIGHTS_LEVEL = 8;

    private static final long RIGHTS_TYPE = 12;
    private static final long RIGHTS_DATA = 16;
    private static final int MAX_DESCRIPTORS = 24;
    private static final long CONTROL_SPACE = RIGHTS_DATA + 4L * MAX_DESCRIPTORS;

    private static final CFunction SOCKETPAIR = CFunction.ofInt("socketpair");
    private static final CFunction SENDMSG = CFunction.ofLong("sendmsg");
    private static final CFunction RECVMSG = CFunction.ofLong("recvmsg");

    private ControlSocket() {}

    /// Both ends; the caller owns them.
    public record Pair(int ours, int theirs) {}

    /// One message.
    ///
    /// @param bytes in the machine's order
    /// @param descriptors the receiver's to close
    public record Message(ByteBuffer bytes, List<Integer> descriptors) {}

    public static Pair pair() throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            long result = SOCKETPAIR.call(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.address());
            KernelException.check(result, "socketpair(AF_UNIX, SOCK_SEQPACKET)");
            return new Pair(ends.getAtIndex(ValueLayout.JAVA_INT, 0), ends.getAtIndex(ValueLayout.JAVA_INT, 1));
        }
    }

    /// Sends one message. The descriptors stay the caller's.
    public static void send(int socket, byte[] bytes, List<Integer> descriptors) throws KernelException {
        if (descriptors.size() > MAX_DESCRIPTORS) {
            throw new IllegalArgumentException(
                    "descriptors: " + descriptors.size() + " (expected: at most " + MAX_DESCRIPTORS + ")");
        }
        try (var arena = Arena.ofConfined()) {
            var data = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            var header = header(arena, data);
            if (!descriptors.isEmpty()) {
                attach(arena, header, descriptors);
            }
            long sent;
            do {
                sent = SENDMSG.call(socket, header.address(), MSG_NOSIGNAL);
            } while (sent == -Errno.EINTR);
            KernelException.check(sent, "sendmsg");
        }
    }

    private static MemorySegment header(Arena arena, MemorySegment data) {
        var vector = arena.allocate(16, 8);
        vector.set(ValueLayout.JAVA_LONG, 0, data.address());
        vector.set(ValueLayout.JAVA_LONG, 8, data.byteSize());
        var header = arena.allocate(HEADER_SIZE, 8);
        header.set(ValueLayout.JAVA_LONG, IOV, vector.address());
        header.set(ValueLayout.JAVA_LONG, IOV_COUNT, 1);
        return header;
    }

    private static void attach(Arena arena, MemorySegment header, List<Integer> descriptors) {
        long length = RIGHTS_DATA + 4L * descriptors.size();
        var control = arena.allocate((length + 7) / 8 * 8, 8);
        control.set(ValueLayout.JAVA_LONG, 0, length);
        control.set(ValueLayout.JAVA_INT, RIGHTS_LEVEL, SOL_SOCKET);
        control.set(ValueLayout.JAVA_INT, RIGHTS_TYPE, SCM_RIGHTS);
        for (int i = 0; i < descriptors.size(); i++) {
            control.set(ValueLayout.JAVA_INT, RIGHTS_DATA + 4L * i, descriptors.get(i));
        }
        header.set(ValueLayout.JAVA_LONG, CONTROL, control.address());
        header.set(ValueLayout.JAVA_LONG, CONTROL_SIZE, control.byteSize());
    }

    /// Waits for one message of at most `maxBytes`; empty when the other end is closed.
    ///
    /// @throws KernelException also when descriptors were lost because this process may not open more
    public static Optional<Message> receive(int socket, int maxBytes) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var data = arena.allocate(maxBytes, 8);
            var header = header(arena, data);
            var control = arena.allocate(CONTROL_SPACE, 8);
            header.set(ValueLayout.JAVA_LONG, CONTROL, control.address());
            header.set(ValueLayout.JAVA_LONG, CONTROL_SIZE, control.byteSize());
            long size;
            do {
                size = RECVMSG.call(socket, header.address(), MSG_CMSG_CLOEXEC);
            } while (size == -Errno.EINTR);
            KernelException.check(size, "recvmsg");
            return size == 0 ? Optional.empty() : Optional.of(read(header, control, data.asSlice(0, size)));
        }
    }

    private static Message read(MemorySegment header, MemorySegment control, MemorySegment data)
            throws KernelException {
        var descriptors = new ArrayList<Integer>();
        if (header.get(ValueLayout.JAVA_LONG, CONTROL_SIZE) > RIGHTS_DATA
                && control.get(ValueLayout.JAVA_INT, RIGHTS_TYPE) == SCM_RIGHTS) {
            long end = control.get(ValueLayout.JAVA_LONG, 0);
            for (long at = RIGHTS_DATA; at + 4 <= end; at += 4) {
                descriptors.add(control.get(ValueLayout.JAVA_INT, at));
            }
        }
        if ((header.get(ValueLayout.JAVA_INT, FLAGS) & MSG_CTRUNC) != 0) {
            descriptors.forEach(FileControl::close);
            throw new KernelException("recvmsg(SCM_RIGHTS)", Errno.EMFILE);
        }
        var bytes = ByteBuffer.wrap(data.toArray(ValueLayout.JAVA_BYTE)).order(ByteOrder.nativeOrder());
        return new Message(bytes, List.copyOf(descriptors));
    }
}
