package dev.cagewright.supervisor.net;

/// A door of a session's gateway on the host itself. Closing it closes every connection that came to it.
public interface HostDoor extends AutoCloseable {
    /// Judges everything anew that is under way, and ends what is no longer allowed.
    void revise();

    @Override
    void close();
}
