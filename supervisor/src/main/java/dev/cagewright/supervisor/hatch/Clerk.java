package dev.cagewright.supervisor.hatch;

/// Answers what is asked at a [Hatch]. Safe for all threads.
@FunctionalInterface
public interface Clerk {
    /// Answers one request.
    ///
    /// @param request whole, and within its bounds
    HatchAnswer answer(HatchRequest request);
}
