/// Proofs that a third party checks with a checkpoint alone: that a line is in a log, and that a log only grew. Start
/// at
/// [InclusionProof] and [ConsistencyProof]; [LogProver] makes them. Only reads.
@NullMarked
package dev.cagewright.audit.proof;

import org.jspecify.annotations.NullMarked;
