/// How a person who is not at the run's terminal hears that something waits for them: a notice on their desktop, a
/// signed
/// message to an address of theirs. Start at [WebhookAsker] and [DesktopNotice]. Nothing here takes an answer, and
/// nothing of what a cage said leaves by it.
@NullMarked
package dev.cagewright.supervisor.notice;

import org.jspecify.annotations.NullMarked;
