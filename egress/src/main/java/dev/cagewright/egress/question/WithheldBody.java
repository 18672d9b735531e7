package dev.cagewright.egress.question;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The body of one request, kept back whole until a person has agreed to it, and then handed on as what was shown: one
/// piece. For one event loop. Owns what it was given and has not handed on.
public final class WithheldBody {
    private final Withholding room;
    private final CompositeByteBuf bytes = Unpooled.compositeBuffer(Integer.MAX_VALUE);
    private final MessageDigest sha256;
    private int counted;
    private @Nullable LastHttpContent last;

    /// Nothing has come yet.
    public WithheldBody(Withholding room) {
        this.room = room;
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// Keeps the next piece.
    ///
    /// @return why it cannot be kept; then nothing is kept any more
    public Optional<String> keep(HttpContent content) {
        var piece = content.content();
        int length = piece.readableBytes();
        if (counted + length > Withholding.MOST_OF_ONE) {
            content.release();
            close();
            return Optional.of("a body of more than " + Withholding.MOST_OF_ONE + " bytes cannot be approved");
        }
        if (!room.take(length)) {
            content.release();
            close();
            return Optional.of("too many bodies wait for approval already");
        }
        counted += length;
        sha256.update(ByteBuffer.wrap(bytes(piece)));
        bytes.addComponent(/* increaseWriterIndex= */ true, piece.retainedDuplicate());
        if (content instanceof LastHttpContent end) {
            last = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
            if (!end.trailingHeaders().isEmpty()) {
                content.release();
                close();
                return Optional.of("a body with fields behind it cannot be approved");
            }
        }
        content.release();
        return Optional.empty();
    }

    private static byte[] bytes(ByteBuf piece) {
        var copy = new byte[piece.readableBytes()];
        piece.getBytes(piece.readerIndex(), copy);
        return copy;
    }

    /// Has all of it come?
    public boolean isWhole() {
        return last != null;
    }

    /// What can be said of the whole body. Ask once.
    public BodyView shown() {
        var head = new byte[Math.min(bytes.readableBytes(), BodyView.EXCERPT)];
        bytes.getBytes(bytes.readerIndex(), head);
        return new BodyView(counted, sha256.digest(), head);
    }

    /// Hands the whole body on; the receiver owns it, and nothing is kept here any more.
    public HttpContent handOn() {
        if (last == null) {
            throw new IllegalStateException("the body is not whole");
        }
        room.give(counted);
        counted = 0;
        return last.replace(bytes);
    }

    /// Throws away what is kept.
    public void close() {
        room.give(counted);
        counted = 0;
        if (bytes.refCnt() > 0) {
            bytes.release();
        }
    }
}
