/// Carries decisions into the audit log. Start at [AuditJournal], the gate's journal; [ActionJson] says
/// how an action is written down. Nothing here decides.
@NullMarked
package dev.cagewright.supervisor.journal;

import org.jspecify.annotations.NullMarked;
