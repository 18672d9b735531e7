package dev.cagewright.egress.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads HTTP/1 requests, strictly: whatever two servers are known to read differently becomes a [Malformed],
/// and nothing is read after it. Sends on Netty's own message objects, so that HTTP/2 and HTTP/1 are the same
/// from here on. Chunks are taken apart; their extensions end here.
///
/// After a request that asks for another protocol (CONNECT, Upgrade) it holds all further bytes until
/// [#resume], or until it is taken out of the pipeline, which passes them on. For one connection.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class RequestDecoder extends ByteToMessageDecoder {
    /// Their names and values were read strictly.
    private static final HttpHeadersFactory UNCHECKED =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    /// Of the request line and all fields, and of trailers.
    public static final int MAX_HEAD_BYTES = 64 * 1024;

    private static final int MAX_FIELDS = 256;
    private static final int MAX_CONTENT = 64 * 1024;
    private static final int MAX_CHUNK_LINE = 4096;

    private enum State {
        REQUEST_LINE,
        FIELDS,
        LENGTH,
        CHUNK_LINE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        HELD,
        BROKEN
    }

    private final HeadLines head = new HeadLines(MAX_HEAD_BYTES);
    private final HeadLines chunkLines = new HeadLines(MAX_CHUNK_LINE);
    private State state = State.REQUEST_LINE;
    private boolean skippedEmptyLine;
    private @Nullable ChannelHandlerContext context;
    private @Nullable RequestLine line;
    private HttpHeaders fields = UNCHECKED.newHeaders();
    private long left;

    /// For a new connection.
    public RequestDecoder() {}

    private record RequestLine(HttpMethod method, String target, HttpVersion version) {}

    @Override
    protected void decode(ChannelHandlerContext here, ByteBuf in, List<Object> out) {
        try {
            step(in, out);
        } catch (MalformedException e) {
            state = State.BROKEN;
            in.skipBytes(in.readableBytes());
            out.add(e.what());
        }
    }

    private void step(ByteBuf in, List<Object> out) throws MalformedException {
        switch (state) {
            case REQUEST_LINE -> readRequestLine(in);
            case FIELDS -> readField(in, out);
            case LENGTH -> readLength(in, out);
            case CHUNK_LINE -> readChunkLine(in);
            case CHUNK -> readChunk(in, out);
            case CHUNK_END -> readChunkEnd(in);
            case TRAILERS -> readTrailer(in, out);
            case HELD -> {}
            case BROKEN -> in.skipBytes(in.readableBytes());
        }
    }

    /// One empty line before a request is let pass, RFC 9112 section 2.2.
    private void readRequestLine(ByteBuf in) throws MalformedException {
        var text = head.next(in);
        if (text.isEmpty()) {
            return;
        }
        if (text.get().isEmpty() && !skippedEmptyLine) {
            skippedEmptyLine = true;
            return;
        }
        line = requestLine(text.get());
        fields = UNCHECKED.newHeaders();
        state = State.FIELDS;
    }

    private static RequestLine requestLine(String text) throws MalformedException {
        int first = text.indexOf(' ');
        int last = text.lastIndexOf(' ');
        if (first < 0 || first == last || text.indexOf(' ', first + 1) != last || first > 32) {
            throw new MalformedException("the request line is not METHOD TARGET VERSION");
        }
        var method = text.substring(0, first);
        var target = text.substring(first + 1, last);
        if (!FieldLine.isToken(method)) {
            throw new MalformedException("the request line is not METHOD TARGET VERSION");
        }
        if (target.isEmpty() || !isVisible(target)) {
            throw new MalformedException("the request's target has a character that is not visible ASCII");
        }
        var version = switch (text.substring(last + 1)) {
            case "HTTP/1.1" -> HttpVersion.HTTP_1_1;
            case "HTTP/1.0" -> HttpVersion.HTTP_1_0;
            default -> throw new MalformedException(505, "the version is neither HTTP/1.1 nor HTTP/1.0");
        };
        return new RequestLine(HttpMethod.valueOf(method), target, version);
    }

    private static boolean isVisible(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f) {
                return false;
            }
        }
        return true;
    }

    private void readField(ByteBuf in, List<Object> out) throws MalformedException {
        var text = head.next(in);
        if (text.isEmpty() || line == null) {
            return;
        }
        if (!text.get().isEmpty()) {
            addField(text.get());
            return;
        }
        var request = new DefaultHttpRequest(line.version(), line.method(), line.target(), fields);
        var framing = Framing.of(fields, line.version());
        out.add(request);
        begin(framing, request, out);
    }

    private void addField(String text) throws MalformedException {
        FieldLine.read(text, fields);
        if (fields.size() > MAX_FIELDS) {
            throw new MalformedException(431, "more than " + MAX_FIELDS + " header fields");
        }
    }

    private void begin(Framing framing, HttpRequest request, List<Object> out) throws MalformedException {
        boolean asksForOther =
                request.method().equals(HttpMethod.CONNECT) || request.headers().contains(HttpHeaderNames.UPGRADE);
        boolean hasBody = !framing.equals(Framing.NONE);
        if (request.method().equals(HttpMethod.CONNECT) && hasBody) {
            throw new MalformedException("CONNECT with a body");
        }
        switch (framing) {
            case Framing.Length(long bytes)
            when bytes == 0 -> {
                out.add(LastHttpContent.EMPTY_LAST_CONTENT);
                nextHead(asksForOther ? State.HELD : State.REQUEST_LINE);
            }
            case Framing.Length(long bytes) -> {
                left = bytes;
                state = State.LENGTH;
            }
            case Framing.Chunked _ -> nextChunk();
        }
    }

    private void nextHead(State next) {
        head.restart();
        line = null;
        skippedEmptyLine = false;
        state = next;
    }

    private void nextChunk() {
        chunkLines.restart();
        state = State.CHUNK_LINE;
    }

    private void readLength(ByteBuf in, List<Object> out) {
        var part = part(in);
        if (left > 0) {
            part.map(DefaultHttpContent::new).ifPresent(out::add);
        } else {
            out.add(new DefaultLastHttpContent(part.orElse(Unpooled.EMPTY_BUFFER)));
            nextHead(State.REQUEST_LINE);
        }
    }

    private Optional<ByteBuf> part(ByteBuf in) {
        int size = (int) Math.min(left, Math.min(in.readableBytes(), MAX_CONTENT));
        left -= size;
        return size == 0 ? Optional.empty() : Optional.of(in.readRetainedSlice(size));
    }

    private void readChunkLine(ByteBuf in) throws MalformedException {
        var text = chunkLines.next(in);
        if (text.isPresent()) {
            left = ChunkLine.size(text.get());
            state = left == 0 ? State.TRAILERS : State.CHUNK;
            fields = UNCHECKED.newHeaders();
            head.restart();
        }
    }

    private void readChunk(ByteBuf in, List<Object> out) {
        part(in).map(DefaultHttpContent::new).ifPresent(out::add);
        state = left == 0 ? State.CHUNK_END : State.CHUNK;
    }

    private void readChunkEnd(ByteBuf in) throws MalformedException {
        if (in.readableBytes() >= 2) {
            if (in.readByte() != '\r' || in.readByte() != '\n') {
                throw new MalformedException("a chunk is longer than its size");
            }
            nextChunk();
        }
    }

    private void readTrailer(ByteBuf in, List<Object> out) throws MalformedException {
        var text = head.next(in);
        if (text.isEmpty()) {
            return;
        }
        if (!text.get().isEmpty()) {
            addField(text.get());
            return;
        }
        Trailers.require(fields);
        var last = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
        last.trailingHeaders().add(fields);
        out.add(last);
        nextHead(State.REQUEST_LINE);
    }

    /// Reads on as HTTP: the other protocol is not to be.
    public void resume() {
        if (state == State.HELD && context != null) {
            state = State.REQUEST_LINE;
            try {
                channelRead(context, Unpooled.EMPTY_BUFFER);
            } catch (Exception e) {
                context.fireExceptionCaught(e);
            }
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }
}
