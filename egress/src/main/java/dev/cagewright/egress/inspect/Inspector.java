package dev.cagewright.egress.inspect;

/// Looks at messages of a cage. One object serves all messages of a run and is safe for all threads. One from a jar is
/// named in the jar's `META-INF/services/dev.cagewright.egress.inspect.Inspector` and has a public constructor without
/// parameters.
public interface Inspector {
    /// A word for records: small letters, digits, `_` and `-`, at most 32.
    String name();

    /// Begins to look at a message.
    ///
    /// @return the look, for this message only
    Look begin(Message message);
}
