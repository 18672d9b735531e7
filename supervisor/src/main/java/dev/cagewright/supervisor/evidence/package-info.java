/// The evidence of one run in one file that a third party checks offline: policy, receipt, log lines with proofs,
/// changed files. Start at [EvidenceExport] and [EvidenceCheck]; the file's form is told in `docs/receipts.md`. A
/// bundle that is read is hostile: nothing of it is unpacked or executed.
@NullMarked
package dev.cagewright.supervisor.evidence;

import org.jspecify.annotations.NullMarked;
