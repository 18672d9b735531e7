package dev.cagewright.mcp.rpc;

/// A request is answered by an error.
public final class RpcException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient RpcError error;

    public RpcException(RpcError error) {
        super(error.message());
        this.error = error;
    }

    public RpcException(int code, String message) {
        this(new RpcError(code, message));
    }

    public RpcError error() {
        return error;
    }
}
