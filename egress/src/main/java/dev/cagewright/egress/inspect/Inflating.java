package dev.cagewright.egress.inspect;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// gzip (RFC 1952) and deflate (RFC 1950, or bare RFC 1951 as many send it), in pieces of a fixed size however much a
/// byte expands to. More than [#RATIO] times what came in, or more than [#MOST], is a bomb.
final class Inflating implements Decoding {
    /// Deflate cannot do more than 1,032; ordinary text is below 30.
    static final int RATIO = 200;

    /// Below that, a high ratio does no harm.
    static final int HARMLESS = 1024 * 1024;

    static final long MOST = 1L << 30;

    private static final int PIECE = 16 * 1024;

    private final byte[] out = new byte[PIECE];
    private final Wrapping wrapping;
    private final long most;
    private final long ratio;
    private final GzipHead head = new GzipHead();
    private Inflater inflater = new Inflater(/* nowrap= */ true);
    private long taken;
    private long given;
    private int trailer;
    private Stage stage;

    enum Wrapping {
        GZIP,
        ZLIB
    }

    private enum Stage {
        HEAD,
        DATA,
        TRAILER
    }

    Inflating(Wrapping wrapping) {
        this(wrapping, RATIO, MOST);
    }

    private Inflating(Wrapping wrapping, long ratio, long most) {
        this.wrapping = wrapping;
        this.ratio = ratio;
        this.most = most;
        this.stage = Stage.HEAD;
    }

    /// Nothing is a bomb.
    static Inflating unbounded(Wrapping wrapping) {
        return new Inflating(wrapping, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    @Override
    public void next(byte[] bytes, int from, int to, Sink sink) throws UnreadableException {
        taken += to - from;
        int at = from;
        while (at < to) {
            at = switch (stage) {
                case HEAD -> head(bytes, at);
                case DATA -> data(bytes, at, to, sink);
                case TRAILER -> trailer(at);
            };
        }
    }

    private int head(byte[] bytes, int at) throws UnreadableException {
        if (wrapping == Wrapping.GZIP) {
            if (head.accept(bytes[at] & 0xff)) {
                stage = Stage.DATA;
            }
            return at + 1;
        }
        boolean isZlib = (bytes[at] & 0x0f) == 8 && (bytes[at] & 0x80) == 0;
        if (isZlib) {
            inflater.end();
            inflater = new Inflater();
        }
        stage = Stage.DATA;
        return at;
    }

    private int data(byte[] bytes, int at, int to, Sink sink) throws UnreadableException {
        inflater.setInput(bytes, at, to - at);
        try {
            while (!inflater.needsInput() && !inflater.finished()) {
                int count = inflater.inflate(out);
                if (count == 0 && inflater.needsDictionary()) {
                    throw new UnreadableException("body.coding");
                }
                give(count, sink);
            }
        } catch (DataFormatException _) {
            throw new UnreadableException("body.coding");
        }
        int next = to - inflater.getRemaining();
        if (inflater.finished()) {
            stage = Stage.TRAILER;
            trailer = wrapping == Wrapping.GZIP ? GzipHead.TRAILER : 0;
        }
        return next;
    }

    private void give(int count, Sink sink) throws UnreadableException {
        given += count;
        if (given > most || (given > HARMLESS && given > taken * ratio)) {
            throw new UnreadableException("bombs.ratio");
        }
        if (count > 0) {
            sink.take(out, 0, count);
        }
    }

    /// Behind the trailer another member of gzip may begin; anything else is not read by anybody alike.
    private int trailer(int at) throws UnreadableException {
        if (trailer > 0) {
            trailer--;
            return at + 1;
        }
        if (wrapping == Wrapping.ZLIB) {
            throw new UnreadableException("body.coding");
        }
        inflater.reset();
        head.reset();
        stage = Stage.HEAD;
        return at;
    }

    @Override
    public void end() throws UnreadableException {
        boolean isWhole = taken == 0 || (stage == Stage.TRAILER && trailer == 0);
        if (!isWhole) {
            throw new UnreadableException("body.coding");
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
