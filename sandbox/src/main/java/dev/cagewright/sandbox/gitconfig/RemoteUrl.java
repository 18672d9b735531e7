package dev.cagewright.sandbox.gitconfig;

import java.util.Optional;
import java.util.regex.Pattern;

/// Judges where a remote leads. An address of a host over http, ssh or git starts nothing of the workload's. A
/// transport helper (`ext::`) does, and so does a repository on this machine that the workload can write: its hooks
/// run at a push.
final class RemoteUrl {
    private static final Pattern OF_A_HOST = Pattern.compile(
            "(?:https?|ssh|git|git\\+ssh|ssh\\+git)://(?:[A-Za-z0-9_][\\x21-\\x7e&&[^/@]]*@)?(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\\[[0-9a-fA-F:.]+])"
                    + "(?::[0-9]{1,5})?(?:/(?!-)[\\x21-\\x7e]*)?");

    private static final Pattern AS_SCP = Pattern.compile(
            "(?:[A-Za-z0-9_][A-Za-z0-9._+-]*@)?(?:[A-Za-z0-9_][A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+]):(?![:-]|//)[\\x21-\\x7e]+");

    private static final Pattern HELPER = Pattern.compile("[A-Za-z0-9+.-]+::.*");

    private RemoteUrl() {}

    /// Why it may not come along; empty if it may.
    static Optional<String> objection(String url, Reach reach) {
        if (HELPER.matcher(url).matches()) {
            return Optional.of("git would start a transport helper for it");
        }
        if (OF_A_HOST.matcher(url).matches()) {
            return Optional.empty();
        }
        var path = url.startsWith("file:///") ? url.substring("file://".length()) : url;
        if (path.startsWith("/")) {
            return reach.isOutOf(path)
                    ? Optional.empty()
                    : Optional.of("it is a repository that the workload can write: a push would run its hooks");
        }
        return AS_SCP.matcher(url).matches()
                ? Optional.empty()
                : Optional.of("it is no address over https, http, ssh or git, and no absolute path");
    }
}
