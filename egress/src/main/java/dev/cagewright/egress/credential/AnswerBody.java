package dev.cagewright.egress.credential;

import dev.cagewright.egress.inspect.Decoding;
import dev.cagewright.egress.inspect.UnreadableException;
import dev.cagewright.secrets.redact.Deltas;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.redact.Redactor;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The body of one answer on its way to the cage: decoded, and without values. For one event loop.
final class AnswerBody implements AutoCloseable {
    /// RFC 1952: how gzip begins.
    private static final int GZIP_1 = 0x1f;

    private static final int GZIP_2 = 0x8b;

    private final Decoding decoding;
    private final Redactor redactor;
    private final Optional<Deltas> deltas;
    private Coding unsaid;

    /// What becomes of a body that cannot be read.
    enum Care {
        /// It is none.
        STRICT,
        /// It passes as it is: nobody has a secret there.
        LENIENT
    }

    /// May the body be gzip that says nothing of it?
    private enum Coding {
        ONLY_SAID,
        PERHAPS,
        /// Its first byte was there.
        BEGUN
    }

    private AnswerBody(Decoding decoding, Redactor redactor, Optional<Deltas> deltas, Coding unsaid) {
        this.decoding = decoding;
        this.redactor = redactor;
        this.deltas = deltas;
        this.unsaid = unsaid;
    }

    /// Begins, and says in the head what the cage gets of the body.
    ///
    /// @param fields of the answer
    /// @throws UnreadableException if the body cannot be read
    static AnswerBody begin(HttpHeaders fields, Redaction redaction, Care care) throws UnreadableException {
        var media = Media.of(fields);
        var redactor = media == Media.BINARY ? Redactor.ofBinary(redaction) : Redactor.ofText(redaction);
        boolean isText = media != Media.BINARY && fields.contains(HttpHeaderNames.CONTENT_TYPE);
        var unsaid = isText && care == Care.STRICT ? Coding.PERHAPS : Coding.ONLY_SAID;
        return new AnswerBody(
                decoding(fields, care), redactor, shape(media).map(shape -> new Deltas(redaction, shape)), unsaid);
    }

    private static Optional<Deltas.Shape> shape(Media media) {
        return switch (media) {
            case JSON -> Optional.of(Deltas.Shape.JSON);
            case EVENTS -> Optional.of(Deltas.Shape.EVENTS);
            case FORM, TEXT, BINARY -> Optional.empty();
        };
    }

    private static Decoding decoding(HttpHeaders fields, Care care) throws UnreadableException {
        var codings = String.join(",", fields.getAll(HttpHeaderNames.CONTENT_ENCODING));
        try {
            var decoding = Decoding.ofAnswer(codings);
            if (!(decoding instanceof Decoding.Plain)) {
                fields.remove(HttpHeaderNames.CONTENT_ENCODING);
                fields.remove(HttpHeaderNames.CONTENT_LENGTH);
                Answers.weaken(fields);
            }
            return decoding;
        } catch (UnreadableException e) {
            if (care == Care.STRICT) {
                throw e;
            }
            return new Decoding.Plain();
        }
    }

    /// Takes a piece and returns what may go; perhaps nothing yet.
    ///
    /// @param piece owned by this from now on
    /// @throws UnreadableException if it cannot be read
    byte[] next(byte[] piece) throws UnreadableException {
        if (decoding instanceof Decoding.Plain) {
            requireSaid(piece);
            return redacted(piece);
        }
        var out = new ByteArrayOutputStream(4 * piece.length);
        decoding.next(
                piece,
                0,
                piece.length,
                (bytes, from, to) -> out.writeBytes(redacted(Arrays.copyOfRange(bytes, from, to))));
        return out.toByteArray();
    }

    /// What is told in pieces is looked at first: a value that is whole in a piece may run into one that is not.
    private byte[] redacted(byte[] piece) {
        return redactor.next(deltas.isPresent() ? deltas.get().next(piece) : piece);
    }

    /// The two bytes that gzip begins with may come in two pieces.
    private void requireSaid(byte[] piece) throws UnreadableException {
        for (int i = 0; i < piece.length && unsaid != Coding.ONLY_SAID; i++) {
            int next = piece[i] & 0xff;
            if (unsaid == Coding.BEGUN && next == GZIP_2) {
                throw new UnreadableException("body.coding");
            }
            unsaid = unsaid == Coding.PERHAPS && next == GZIP_1 ? Coding.BEGUN : Coding.ONLY_SAID;
        }
    }

    /// The body is over; returns what was held.
    ///
    /// @throws UnreadableException if something is missing
    byte[] end() throws UnreadableException {
        decoding.end();
        var told = deltas.isPresent() ? redactor.next(deltas.get().end()) : new byte[0];
        var rest = redactor.end();
        var both = Arrays.copyOf(told, told.length + rest.length);
        System.arraycopy(rest, 0, both, told.length, rest.length);
        return both;
    }

    /// The names of the secrets whose values were taken out.
    Set<String> names() {
        var names = new TreeSet<>(redactor.names());
        deltas.ifPresent(texts -> names.addAll(texts.names()));
        return names;
    }

    @Override
    public void close() {
        decoding.close();
    }
}
