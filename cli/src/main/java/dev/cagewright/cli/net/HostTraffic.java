package dev.cagewright.cli.net;

/// What a cage and one host said to each other.
///
/// @param host as the cage named it, so unescaped
/// @param unanswered how many of the requests and connections got no answer
/// @param refused how many requests, connections and look-ups came to nothing
public record HostTraffic(
        String host, long requests, long unanswered, long refused, long sentBytes, long receivedBytes) {}
