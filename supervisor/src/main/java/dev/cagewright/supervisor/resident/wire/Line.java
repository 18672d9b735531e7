package dev.cagewright.supervisor.resident.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// One connection, frame by frame. One thread reads, any may write; whoever writes waits until the other side takes
/// it. Whoever has it closes it.
public final class Line implements AutoCloseable {
    /// Kind and length.
    private static final int HEAD = 5;

    /// How much is read past at once, bytes.
    private static final int PAST = 4096;

    private final SocketChannel channel;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD);
    private final ReentrantLock writing = new ReentrantLock();

    /// @param channel blocking; the line's from now on
    public Line(SocketChannel channel) {
        this.channel = channel;
    }

    /// The next frame; empty when the other side has said all.
    ///
    /// @throws IOException if it was cut in the middle, or is no frame
    public Optional<Frame> read() throws IOException {
        head.clear();
        if (!fill(head)) {
            return Optional.empty();
        }
        head.flip();
        var kind = Frame.Kind.of(head.get());
        int length = head.getInt();
        if (length < 0 || length > kind.most()) {
            throw new IOException("a frame " + kind + " of " + Integer.toUnsignedString(length)
                    + " bytes (expected: at most " + kind.most() + ")");
        }
        var bytes = new byte[length];
        if (length > 0 && !fill(ByteBuffer.wrap(bytes))) {
            throw new EOFException("the connection was cut");
        }
        return Optional.of(Frame.of(kind, bytes));
    }

    /// @return false at the end, before the first byte
    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                if (buffer.position() == 0) {
                    return false;
                }
                throw new EOFException("the connection was cut");
            }
        }
        return true;
    }

    /// Waits until all of it is on its way.
    public void write(Frame frame) throws IOException {
        var start = ByteBuffer.allocate(HEAD)
                .put(frame.kind().letter())
                .putInt(frame.bytes().length)
                .flip();
        var parts = new ByteBuffer[] {start, ByteBuffer.wrap(frame.bytes())};
        writing.lock();
        try {
            while (parts[0].hasRemaining() || parts[1].hasRemaining()) {
                channel.write(parts);
            }
        } finally {
            writing.unlock();
        }
    }

    /// Nothing more will be written; what the other side says can still be read.
    public void finish() throws IOException {
        channel.shutdownOutput();
    }

    /// Says no more, and reads past what the other side still sends, until it has closed or `patience` is over. Closed
    /// at
    /// once, the line would make whoever writes at that moment lose what it has not read yet.
    public void part(Duration patience) throws IOException {
        finish();
        var closed = new CountDownLatch(1);
        Thread.ofVirtual().name("parting").start(() -> closeUnless(closed, patience));
        var rest = ByteBuffer.allocate(PAST);
        try {
            int read;
            do {
                read = channel.read(rest.clear());
            } while (read >= 0);
        } catch (ClosedChannelException _) {
            return; // its time was over
        } finally {
            closed.countDown();
        }
    }

    private void closeUnless(CountDownLatch closed, Duration patience) {
        try {
            if (!closed.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                channel.close();
            }
        } catch (IOException _) {
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    public boolean isOpen() {
        return channel.isOpen();
    }

    /// Whoever reads or writes hears of it.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
