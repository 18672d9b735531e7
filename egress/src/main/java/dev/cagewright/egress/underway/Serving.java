package dev.cagewright.egress.underway;

import io.netty.handler.codec.http.HttpContent;

/// Whoever serves one request, from its head to the end of its answer, as its client speaks. For one event loop.
public interface Serving {
    /// The head is there.
    void begin();

    /// The next piece of the request's body, the end of it too; owned by whoever hears.
    void body(HttpContent content);

    /// The client takes more of the answer.
    void clientWritable();

    /// The client is gone; nobody answers any more.
    void clientGone(String why);

    /// Nothing has happened for as long as was expected.
    void overdue();

    /// Does the client have the head of an answer?
    boolean isHeadAnswered();
}
