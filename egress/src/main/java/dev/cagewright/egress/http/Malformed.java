package dev.cagewright.egress.http;

/// What comes out of a decoder instead of a message that cannot be read in one way only. Nothing comes after
/// it.
///
/// @param status what to answer: 400, 414, 431 or 505
/// @param why one sentence without bytes of the message
public record Malformed(int status, String why) {}
