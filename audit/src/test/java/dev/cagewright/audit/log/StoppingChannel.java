package dev.cagewright.audit.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/// The kernel's file, until a planned step: there something else happens before, in the middle of, or after it.
final class StoppingChannel extends FileChannel {
    private final FileChannel file;
    private final Plan plan;
    private final Runnable beforeFlush;

    /// Counts the steps that change a file: writes, flushes and cuts.
    static final class Plan implements Channels {
        private final int step;
        private final int phase;
        private final double part;
        private final Runnable end;
        private int steps;

        /// @param step which one to stop at, from 1
        /// @param phase 0 before it, 1 in the middle of it, 2 after it
        /// @param part how much of the middle is done, from 0 to 1
        Plan(int step, int phase, double part, Runnable end) {
            this.step = step;
            this.phase = phase;
            this.part = part;
            this.end = end;
        }

        @Override
        public FileChannel open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return new StoppingChannel(FileChannel.open(path, options, attributes), this, () -> {});
        }

        synchronized boolean isNow() {
            return ++steps == step;
        }
    }

    private StoppingChannel(FileChannel file, Plan plan, Runnable beforeFlush) {
        this.file = file;
        this.plan = plan;
        this.beforeFlush = beforeFlush;
    }

    /// The kernel's file, with something to do before each flush.
    static FileChannel beforeFlush(FileChannel file, Runnable action) {
        return new StoppingChannel(file, new Plan(Integer.MAX_VALUE, 0, 0, action), action);
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        boolean now = plan.isNow();
        if (now && plan.phase == 0) {
            plan.end.run();
        }
        if (now && plan.phase == 1) {
            int length = (int) (source.remaining() * plan.part);
            file.write(source.slice(source.position(), length), position);
            plan.end.run();
        }
        int written = file.write(source, position);
        if (now) {
            plan.end.run();
        }
        return written;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        beforeFlush.run();
        around(() -> file.force(metaData));
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        around(() -> file.truncate(size));
        return this;
    }

    private interface Step {
        void take() throws IOException;
    }

    private void around(Step step) throws IOException {
        boolean now = plan.isNow();
        if (now && plan.phase == 0) {
            plan.end.run();
        }
        try {
            step.take();
        } catch (ClosedByInterruptException e) {
            close();
            throw e;
        }
        if (now) {
            plan.end.run();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return file.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return file.read(targets, offset, length);
    }

    @Override
    public int write(ByteBuffer source) {
        throw new UnsupportedOperationException("the log writes at positions");
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException("the log writes at positions");
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        file.position(newPosition);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return file.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return file.transferFrom(source, position, count);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return file.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return file.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }
}
