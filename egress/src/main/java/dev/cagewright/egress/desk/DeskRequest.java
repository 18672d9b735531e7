package dev.cagewright.egress.desk;

import dev.cagewright.policy.action.ByteString;
import java.util.Optional;

/// One whole request to a [PolicyDesk].
///
/// @param method in capitals
/// @param path in its one spelling
/// @param query what stood behind `?`
/// @param type the one `Content-Type`, as it came; empty where there is none, or more than one
/// @param body at most [#MOST_BODY] bytes
public record DeskRequest(String method, String path, Optional<String> query, Optional<String> type, ByteString body) {
    /// The longest body, bytes.
    public static final int MOST_BODY = 16 * 1024;

    public DeskRequest {
        if (body.size() > MOST_BODY) {
            throw new IllegalArgumentException("body: " + body.size() + " bytes (expected: at most " + MOST_BODY + ")");
        }
    }
}
