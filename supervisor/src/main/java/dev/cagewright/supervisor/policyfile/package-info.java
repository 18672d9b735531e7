/// Policy files: from bytes to the document a cage is judged by, and back to the person with line and
/// column. Start at [PolicyFiles], which finds and reads files, and [PolicyShape], the one description of every
/// key that both the binder and the published schema follow. Nothing here decides an action, and nothing a
/// file says is ever executed, fetched or expanded.
@NullMarked
package dev.cagewright.supervisor.policyfile;

import org.jspecify.annotations.NullMarked;
