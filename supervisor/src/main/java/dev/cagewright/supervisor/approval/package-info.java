/// The questions that a policy has a person answer: what is asked, who can be asked, what came back, and for how long
/// it
/// holds. Start at [dev.cagewright.supervisor.approval.QuestionDesk], which waits inside a run, and
/// [dev.cagewright.supervisor.approval.PendingQuestions], which other commands answer with.
///
/// A question is a file in its session's folder and an answer is a second one that can be made only once, by whoever is
/// first: a person, or the run itself when its patience ends. Silence, a broken folder and a log that takes no note are
/// denials. Nothing here is reachable from a cage.
@NullMarked
package dev.cagewright.supervisor.approval;

import org.jspecify.annotations.NullMarked;
