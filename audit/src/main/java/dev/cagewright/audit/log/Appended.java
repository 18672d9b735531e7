package dev.cagewright.audit.log;

/// An event that is on the disk.
///
/// @param seq the line's number in its log, from 1
/// @param hash the line's hash, 64 hexadecimal digits
public record Appended(long seq, String hash) {}
