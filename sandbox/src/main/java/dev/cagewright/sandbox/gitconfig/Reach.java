package dev.cagewright.sandbox.gitconfig;

/// What a workload can write of the host's files.
@FunctionalInterface
public interface Reach {
    /// Is `path`, absolute, one char a byte, and everything that its links lead to, where the workload cannot write
    /// and could not make it?
    boolean isOutOf(String path);
}
