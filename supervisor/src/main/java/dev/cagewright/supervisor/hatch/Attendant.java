package dev.cagewright.supervisor.hatch;

import java.io.IOException;

/// Attends to who comes to a [Hatch], for as long as it takes: what a [Clerk] is for answers that are whole at once.
/// Safe for all threads.
@FunctionalInterface
public interface Attendant {
    /// Answers one request. The connection ends when this returns.
    ///
    /// @param request whole, and within its bounds
    /// @throws IOException if whoever asked is gone
    void attend(HatchRequest request, Reply reply) throws IOException, InterruptedException;
}
