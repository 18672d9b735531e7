package dev.cagewright.egress.websocket;

import dev.cagewright.egress.inspect.Examination;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.scrutiny.HeldBody;
import dev.cagewright.egress.websocket.FrameReader.Part;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One direction of a WebSocket: takes its frames apart, has each message looked at, and frames anew what is clear. A
/// message of one frame of at most [#WHOLE] bytes goes when all of it is clear, a longer one as it is cleared, in
/// fragments. Nothing is read while a piece is with the inspectors. For one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class FrameGate extends ChannelDuplexHandler {
    /// The most of a frame that is held until it is whole, bytes.
    static final int WHOLE = 64 * 1024;

    private final HeldBody.Threads threads;
    private final FrameWriter writer;
    private final Frame.Mask.State masks;
    private final Keeper keeper;
    private final FrameReader reader = new FrameReader();
    private @Nullable ChannelHandlerContext context;
    private ByteBuf unread = Unpooled.EMPTY_BUFFER;
    private @Nullable ByteArrayOutputStream gathered;
    private @Nullable Passing message;
    private @Nullable ChannelInputShutdownEvent shutdown;
    private boolean isWorking;
    private boolean isBusy;
    private boolean hasEmitted;
    private boolean wantsMore;
    private boolean isOver;

    /// Whose socket it is. Called on the event loop.
    interface Keeper {
        /// Begins to look at a message of this direction; empty if nobody does. The caller closes it.
        Optional<Examination> look();

        void found(List<Finding> findings);

        /// A message must not pass.
        void stopped(Finding finding);

        /// What came is no WebSocket that can be read.
        void broken(String why);

        /// The sender is done, after [FrameGate#end].
        void over();
    }

    /// @param writer of the frames that go on
    FrameGate(HeldBody.Threads threads, FrameWriter writer, Keeper keeper) {
        this.threads = threads;
        this.writer = writer;
        this.masks = writer == FrameWriter.TO_ORIGIN ? Frame.Mask.State.PRESENT : Frame.Mask.State.ABSENT;
        this.keeper = keeper;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    private ChannelHandlerContext here() {
        if (context == null) {
            throw new IllegalStateException("gate is in no pipeline");
        }
        return context;
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object read) {
        if (!(read instanceof ByteBuf bytes)) {
            // what HTTP was left over when it ended
            ReferenceCountUtil.release(read);
            here.read();
            return;
        }
        unread = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(here.alloc(), unread, bytes);
        hasEmitted = false;
        if (isOver) {
            discard();
        } else {
            work();
        }
    }

    @Override
    public void read(ChannelHandlerContext here) {
        wantsMore = true;
        if (isOver) {
            here.read();
        } else if (!isWorking) {
            work();
        }
    }

    private void work() {
        isWorking = true;
        try {
            while (!isBusy && !isOver) {
                var part = reader.next(unread);
                if (part == null) {
                    starve();
                    return;
                }
                take(part);
            }
        } finally {
            isWorking = false;
        }
    }

    /// Everything that came has gone on, or waits for more.
    private void starve() {
        var end = shutdown;
        if (end != null) {
            shutdown = null;
            here().fireUserEventTriggered(end);
        } else if (wantsMore || !hasEmitted) {
            wantsMore = false;
            here().read();
        }
    }

    private void take(Part part) {
        switch (part) {
            case Part.Begin(Frame frame) -> begin(frame);
            case Part.Payload payload -> payload(payload);
            case Part.Broken(String why) -> keeper.broken(why);
        }
    }

    private void begin(Frame frame) {
        var fault = fault(frame);
        if (fault.isPresent()) {
            keeper.broken(fault.get());
            return;
        }
        if (!frame.isControl() && frame.opcode() != Frame.CONTINUES) {
            message = new Passing(frame.opcode());
        }
        boolean isWhole =
                frame.isControl() || (frame.isFinal() && frame.opcode() != Frame.CONTINUES && frame.length() <= WHOLE);
        gathered = isWhole ? new ByteArrayOutputStream() : null;
    }

    private Optional<String> fault(Frame frame) {
        if (frame.isBeyondUs()) {
            return Optional.of("a frame says what no extension was agreed for");
        }
        if (frame.mask().state() != masks) {
            return Optional.of("a frame is masked where it must not be, or is not where it must be");
        }
        boolean goesOn = frame.opcode() == Frame.CONTINUES;
        return frame.isControl() || goesOn == (message != null)
                ? Optional.empty()
                : Optional.of("a message begins within another, or goes on without one");
    }

    private void payload(Part.Payload payload) {
        var frame = payload.frame();
        var bytes = payload.bytes().array();
        if (gathered != null) {
            gathered.writeBytes(bytes);
            if (!payload.isEnd()) {
                return;
            }
            bytes = gathered.toByteArray();
            gathered = null;
        }
        boolean isLast = payload.isEnd() && frame.isFinal();
        var passing = frame.isControl() ? new Passing(frame.opcode()) : message;
        if (isLast && !frame.isControl()) {
            message = null;
        }
        if (passing != null && (isLast || bytes.length > 0)) {
            var piece = Unpooled.wrappedBuffer(bytes);
            passing.next(isLast ? new DefaultLastHttpContent(piece) : new DefaultHttpContent(piece));
        }
    }

    /// One message on its way.
    private final class Passing implements HeldBody.Way {
        private final @Nullable HeldBody body;
        private int opcode;

        Passing(int opcode) {
            this.opcode = opcode;
            this.body = keeper.look()
                    .map(look -> new HeldBody(threads, look, HeldBody.Pass.AS_IT_IS_CLEARED, this))
                    .orElse(null);
        }

        void next(HttpContent content) {
            if (body == null) {
                emit(content);
            } else {
                isBusy = true;
                body.next(content);
            }
        }

        private void emit(HttpContent content) {
            boolean isLast = content instanceof LastHttpContent;
            var bytes = ByteBufUtil.getBytes(content.content());
            content.release();
            if (isLast || bytes.length > 0) {
                hasEmitted = true;
                var frame = writer.frame(isLast ? Frame.FINAL | opcode : opcode, bytes);
                opcode = Frame.CONTINUES;
                here().fireChannelRead(frame);
            }
        }

        @Override
        public void found(List<Finding> findings) {
            keeper.found(findings);
        }

        @Override
        public void cleared(HttpContent content) {
            boolean isLast = content instanceof LastHttpContent;
            if (isOver) {
                content.release();
            } else {
                emit(content);
            }
            if (isLast) {
                close();
            }
            wantsMore();
        }

        @Override
        public void wholeCleared() {
            throw new IllegalStateException("messages go on as they are cleared");
        }

        @Override
        public void stopped(Finding finding) {
            keeper.stopped(finding);
        }

        @Override
        public void wantsMore() {
            isBusy = false;
            threads.loop().execute(FrameGate.this::resume);
        }

        void close() {
            if (body != null) {
                body.close();
            }
        }
    }

    private void resume() {
        if (!isOver) {
            work();
        }
    }

    /// Nothing goes on any more; what comes is thrown away.
    void end() {
        isOver = true;
        if (message != null) {
            message.close();
            message = null;
        }
    }

    private void discard() {
        for (var part = reader.next(unread); part != null; part = reader.next(unread)) {
            if (part instanceof Part.Broken
                    || (part instanceof Part.Begin begin && begin.frame().opcode() == 8)) {
                unread.skipBytes(unread.readableBytes());
                keeper.over();
                return;
            }
        }
        here().read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext here, Object event) throws Exception {
        if (!(event instanceof ChannelInputShutdownEvent end)) {
            super.userEventTriggered(here, event);
        } else if (isOver) {
            keeper.over();
        } else {
            shutdown = end;
            work();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext here) throws Exception {
        end();
        super.channelInactive(here);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext here) {
        end();
        unread.release();
        unread = Unpooled.EMPTY_BUFFER;
    }
}
