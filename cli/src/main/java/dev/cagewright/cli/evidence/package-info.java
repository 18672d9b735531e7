/// Commands that prove a run to somebody else: `receipt` and `evidence`. Start at [ReceiptCommands]. Nothing here
/// changes a session.
@NullMarked
package dev.cagewright.cli.evidence;

import org.jspecify.annotations.NullMarked;
