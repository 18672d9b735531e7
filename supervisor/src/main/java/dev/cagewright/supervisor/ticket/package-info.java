/// Answers from afar: a link that somebody may follow to see one question and answer it, once. Start at [AnswerDoor],
/// which a person opens by choice, and [Links], which makes the links. A link is a bearer secret until its question is
/// settled or over. Looking at one answers nothing.
@NullMarked
package dev.cagewright.supervisor.ticket;

import org.jspecify.annotations.NullMarked;
