package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.Map;
import java.util.Optional;

/// Where a server is heard that speaks of its own accord. Called on threads that it must not hold up, except for
/// [#asked], which has one of its own.
public interface Ears {
    /// It opened, for the first time or again: all that was known of it may be another now.
    void opened(Guest.Serving serving);

    /// It says that something changed.
    void changed(Offer.Change what);

    /// It asks its client for something, or for several things at once.
    ///
    /// @param questions by names that tell them apart
    /// @param caller for whom it is at work; empty where that is nobody
    /// @return the `result` of each, by the same names
    /// @throws RpcException if one of them may not be asked or is not answered
    Map<String, JsonObject> asked(
            GuestProgram.Standing standing, Map<String, Caller.Question> questions, Optional<Caller> caller)
            throws RpcException, InterruptedException;

    /// What it is told that its clients can do, before it is at work for one of them.
    JsonObject abilities(GuestProgram.Standing standing);

    /// What it is told that this client can do.
    JsonObject abilities(GuestProgram.Standing standing, Caller caller);

    /// What may go on to a client of a text that it sent beside its answers.
    String passing(GuestProgram.Standing standing, String text);

    /// A line of its error output, as it came, or of its log while nobody has a call under way.
    void said(String line);

    /// Something that a person should hear of it, one sentence.
    void told(String sentence);
}
