/// The person behind a client as one of a session's ways to somebody who answers for it. Start at [ClientAsker].
/// Nothing
/// here decides what is asked.
@NullMarked
package dev.cagewright.mcp.consent;

import org.jspecify.annotations.NullMarked;
