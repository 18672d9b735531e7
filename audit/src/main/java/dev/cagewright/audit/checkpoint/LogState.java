package dev.cagewright.audit.checkpoint;

import dev.cagewright.audit.merkle.TreeHead;

/// How far a log has come.
///
/// @param log the log's id, 32 hexadecimal digits
/// @param tree of its lines
/// @param head the last line's hash, 64 hexadecimal digits
public record LogState(String log, TreeHead tree, String head) {}
