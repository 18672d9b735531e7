package dev.cagewright.egress.inspect;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/// One inspector at one message. For one thread at a time; never called again after it has blocked. What throws blocks.
/// It should take time that grows with the piece and no faster; one of a jar that takes more than ten seconds for a
/// question is interrupted, and blocks.
public interface Look {
    /// Looks at the head, before anything else.
    default Verdict head() {
        return Verdict.ALLOW;
    }

    /// Looks at the next piece of the body, out of its content coding. Pieces are of any length but 0. A body that
    /// nobody can read is not shown.
    ///
    /// @param piece for reading, only until this returns
    default Verdict next(ByteBuffer piece) {
        return Verdict.ALLOW;
    }

    /// The body is over.
    default Verdict end() {
        return Verdict.ALLOW;
    }

    /// Looks at the fields behind the body, where there are any, after its end.
    ///
    /// @param fields in their order
    default Verdict trailers(List<Map.Entry<String, String>> fields) {
        return Verdict.ALLOW;
    }

    /// From where on nothing of the body may go on yet, since what comes decides what it is. Counted from the body's
    /// beginning; what has been shown so far may go if nothing smaller is said.
    default long clearedTo() {
        return Long.MAX_VALUE;
    }
}
