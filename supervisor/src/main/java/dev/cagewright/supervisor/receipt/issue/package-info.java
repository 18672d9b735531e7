/// How a receipt comes about: who watches a run, with which key it is signed, where it is kept. Start at [Receipts]
/// and [RunWitness]. Never changes how a run ends.
@NullMarked
package dev.cagewright.supervisor.receipt.issue;

import org.jspecify.annotations.NullMarked;
