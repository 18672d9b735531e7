package dev.cagewright.egress.inspect.credential;

/// Reads bytes in one way and has what it makes of them looked at. A byte costs a bounded number of steps.
interface Reading {
    /// Takes the next byte.
    ///
    /// @param value 0 to 255
    /// @param at where it stands in what is sent; never falls
    void accept(int value, long at);

    /// Everything so far has to be looked at now, for it may be about to go.
    void pause();

    /// Nothing of this text follows; another one may.
    void end();

    /// From where on nothing may go yet; [Long#MAX_VALUE] if everything may.
    long heldFrom();

    long steps();
}
