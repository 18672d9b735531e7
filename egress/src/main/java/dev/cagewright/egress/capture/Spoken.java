package dev.cagewright.egress.capture;

/// What is spoken on one side of an exchange.
public enum Spoken {
    /// HTTP/1 in the clear.
    CLEAR_1("http", "ws"),
    /// HTTP/1 in TLS.
    TLS_1("https", "wss"),
    /// HTTP/2 in TLS.
    TLS_2("https", "wss");

    private final String scheme;
    private final String messages;

    Spoken(String scheme, String messages) {
        this.scheme = scheme;
        this.messages = messages;
    }

    /// Of a URL.
    String scheme() {
        return scheme;
    }

    /// Of the URL of a WebSocket.
    String messageScheme() {
        return messages;
    }

    int usualPort() {
        return this == CLEAR_1 ? 80 : 443;
    }
}
