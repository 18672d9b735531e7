package dev.cagewright.mcp.http;

import dev.cagewright.mcp.door.Frame;
import dev.cagewright.mcp.door.Refusals;
import dev.cagewright.mcp.rpc.RpcError;

/// Which status of HTTP an answer has.
enum Status {
    /// In a session the message says it all, unless there was none to answer.
    SESSION {
        @Override
        int refused(Frame frame) {
            long code = frame.code().orElse(0);
            return code == RpcError.PARSE_ERROR || code == RpcError.INVALID_REQUEST ? 400 : 200;
        }

        @Override
        int answered(Frame frame) {
            return 200;
        }
    },

    /// 2026-07-28, "Streamable HTTP": unknown methods are not found, and what a client has to put right is its fault.
    STATELESS {
        @Override
        int refused(Frame frame) {
            return frame.code().orElse(0) == RpcError.METHOD_NOT_FOUND ? 404 : 400;
        }

        @Override
        int answered(Frame frame) {
            long code = frame.code().orElse(0);
            return code == RpcError.METHOD_NOT_FOUND ? 404 : code == Refusals.MISSING_CLIENT_CAPABILITY ? 400 : 200;
        }
    };

    /// Of what the door refuses.
    abstract int refused(Frame frame);

    /// Of what somebody worked on.
    abstract int answered(Frame frame);
}
