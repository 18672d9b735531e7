package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.Polling;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Accepts from a listening descriptor and tells where each peer wanted to go.
final class AcceptedAddresses {
    private static final MethodHandle ACCEPT = link("accept");
    private static final MethodHandle GETSOCKNAME = link("getsockname");

    private final int listener;

    AcceptedAddresses(int listener) {
        this.listener = listener;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    /// `ADDRESS:PORT`, IPv4-mapped addresses as IPv4.
    String next() throws IOException {
        if (!Polling.readable(List.of(listener), 5_000)[0]) {
            throw new IOException("nobody connected");
        }
        try (var arena = Arena.ofConfined()) {
            int accepted = (int) ACCEPT.invokeExact(listener, MemorySegment.NULL, MemorySegment.NULL);
            var address = arena.allocate(28, 4);
            var size = arena.allocateFrom(ValueLayout.JAVA_INT, 28);
            int result = (int) GETSOCKNAME.invokeExact(accepted, address, size);
            FileControl.close(accepted);
            if (result != 0) {
                throw new IOException("getsockname");
            }
            return describe(address);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static String describe(MemorySegment address) throws IOException {
        int port = Short.toUnsignedInt(Short.reverseBytes(address.get(ValueLayout.JAVA_SHORT, 2)));
        var bytes = address.asSlice(8, 16).toArray(ValueLayout.JAVA_BYTE);
        var host = InetAddress.getByAddress(bytes).getHostAddress();
        return (host.contains(":") ? "[" + host.replace("2001:db8:0:0:0:0:0:77", "2001:db8::77") + "]" : host) + ":"
                + port;
    }

    /// One datagram as text.
    static String read(int socket) throws IOException {
        if (!Polling.readable(List.of(socket), 5_000)[0]) {
            throw new IOException("nothing came");
        }
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(512);
            int size = FileControl.read(socket, buffer);
            return new String(buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    static boolean isOpen(int descriptor) {
        return Files.exists(Path.of("/proc/self/fd/" + descriptor));
    }

    static void close(int descriptor) {
        FileControl.close(descriptor);
    }
}
