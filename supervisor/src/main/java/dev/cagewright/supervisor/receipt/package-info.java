/// The signed summary of one run: what was asked, what really held, how it ended, and where the audit log tells it.
/// Start at [Receipts], which issues one, and [Receipt], what it states. A receipt is an in-toto statement in a DSSE
/// envelope; its one spelling is told in `docs/receipts.md`. Never holds the value of a variable, and never decides
/// anything.
@NullMarked
package dev.cagewright.supervisor.receipt;

import org.jspecify.annotations.NullMarked;
