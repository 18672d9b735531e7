/// What a person sees of the actions that wait for them, and answers. Start at
/// [dev.cagewright.cli.approval.ApprovalsCommand]. Nothing here decides: an answer goes to the run that waits.
@NullMarked
package dev.cagewright.cli.approval;

import org.jspecify.annotations.NullMarked;
