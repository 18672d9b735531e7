package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;

/// A name that must not come into being while a cage runs.
///
/// @param path relative to the workspace; its parent exists
/// @param filler what stands there meanwhile
/// @param group which part of the hard-deny tier it belongs to
public record Placeholder(ByteString path, Filler filler, ProtectionGroup group) {

    /// Something with no content and no effect. Git does not list empty directories; the files stand only inside
    /// git's own folder, where a directory would stop git from working.
    public enum Filler {
        DIRECTORY(""),
        /// As `.git/config.worktree`.
        EMPTY_FILE(""),
        /// As `.git/commondir`: the repository is its own common directory. Without it a workload could point
        /// git, with all hooks and configuration, to a folder of its own.
        OWN_DIRECTORY_FILE(".\n");

        private final String content;

        Filler(String content) {
            this.content = content;
        }

        byte[] content() {
            return content.getBytes(StandardCharsets.US_ASCII);
        }
    }

    TreePath at() {
        return new TreePath(path.latin1());
    }
}
