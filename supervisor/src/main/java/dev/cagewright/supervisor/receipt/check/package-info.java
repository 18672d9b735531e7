/// Holds a receipt to the lines of the audit log. Start at [LogAgreement]. Only reads.
@NullMarked
package dev.cagewright.supervisor.receipt.check;

import org.jspecify.annotations.NullMarked;
