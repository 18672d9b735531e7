package dev.cagewright.egress.credential.packed;

import dev.cagewright.egress.inspect.Decoding;
import dev.cagewright.egress.inspect.UnreadableException;
import dev.cagewright.secrets.place.Decoys;
import dev.cagewright.secrets.place.Sighting;
import dev.cagewright.secrets.redact.Patterns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The body of one request that is compressed: decoys are looked for in what it unpacks to, a piece at a time, of which
/// at most the beginning of a decoy is held. One that unpacks to out of all proportion is not read. For one event loop;
/// whoever makes it closes it.
public final class PackedBody implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final Decoding decoding;
    private final Decoys decoys;
    private byte[] held = NOTHING;

    private PackedBody(Decoding decoding, Decoys decoys) {
        this.decoding = decoding;
        this.decoys = decoys;
    }

    /// Begins one.
    ///
    /// @param codings as `Content-Encoding` has them
    /// @throws UnreadableException if one of them cannot be read here
    public static PackedBody of(String codings, Decoys decoys) throws UnreadableException {
        return new PackedBody(Decoding.ofRequest(codings), decoys);
    }

    /// Takes the next piece.
    ///
    /// @return what was seen; where it stands says nothing about the piece
    /// @throws UnreadableException if it cannot be read
    public List<Sighting> next(byte[] piece) throws UnreadableException {
        var seen = new ArrayList<Sighting>(0);
        decoding.next(
                piece,
                0,
                piece.length,
                (bytes, from, to) -> look(joined(bytes, from, to), Patterns.Rest.MORE_COMES, seen));
        return seen;
    }

    /// The body is over.
    ///
    /// @throws UnreadableException if something is missing
    public List<Sighting> end() throws UnreadableException {
        decoding.end();
        var seen = new ArrayList<Sighting>(0);
        look(held, Patterns.Rest.ENDS, seen);
        return seen;
    }

    private byte[] joined(byte[] bytes, int from, int to) {
        var joined = Arrays.copyOf(held, held.length + to - from);
        System.arraycopy(bytes, from, joined, held.length, to - from);
        return joined;
    }

    private void look(byte[] bytes, Patterns.Rest rest, List<Sighting> seen) {
        int decided = decoys.search(bytes, 0, bytes.length, rest, seen::add);
        held = decided == bytes.length ? NOTHING : Arrays.copyOfRange(bytes, decided, bytes.length);
    }

    @Override
    public void close() {
        decoding.close();
    }
}
