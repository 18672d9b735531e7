package dev.cagewright.egress.desk;

import dev.cagewright.policy.action.HostName;

/// Answers a cage's requests to [#NAME]. They are answered by the gateway under the cage's own certificate, and go
/// nowhere: what is said here is no egress, no policy has a word about it, and no other cage or host reaches it.
///
/// Safe for all threads.
public interface PolicyDesk {
    /// What the desk is called in every cage that has one. No name server outside is ever asked for it, and no policy
    /// can
    /// lead it elsewhere.
    HostName NAME = new HostName("cagewright.internal");

    /// The address of all its paths.
    String BASE = "https://" + NAME + "/v1/";

    /// No desk: the name is one like any other that no policy names.
    PolicyDesk NONE = new PolicyDesk() {
        @Override
        public DeskReply answer(DeskRequest request) {
            return DeskReply.problem(404, "{}");
        }

        @Override
        public boolean isOpen() {
            return false;
        }
    };

    /// Answers one request. Called on a thread that may wait, for a few requests of a cage at once. What it throws is
    /// answered with 500, and the cage is not told what.
    DeskReply answer(DeskRequest request);

    /// May programs ask for more here, with any hope? Always the same answer.
    default boolean takesRequests() {
        return false;
    }

    /// Is there anybody? Always the same answer.
    default boolean isOpen() {
        return true;
    }
}
