/// Finding known values in what passes, however they are spelled and wherever it is cut, and putting something
/// worthless
/// of the same length in their place. Start at [dev.cagewright.secrets.redact.Redaction], made once for a session's
/// secrets, and [dev.cagewright.secrets.redact.Redactor], one for each stream. Nothing but exact values is changed, and
/// no length changes.
@NullMarked
package dev.cagewright.secrets.redact;

import org.jspecify.annotations.NullMarked;
