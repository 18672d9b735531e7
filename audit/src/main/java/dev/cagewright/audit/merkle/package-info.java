/// The Merkle tree of RFC 9162 section 2.1 (the same as that of RFC 6962), with SHA-256. Start at [CompactRange], which
/// grows a tree in O(log n) memory, and at [InclusionPath] and [ConsistencyPath], which say what a third party can
/// check.
/// Knows nothing of logs, files and signatures.
@NullMarked
package dev.cagewright.audit.merkle;

import org.jspecify.annotations.NullMarked;
