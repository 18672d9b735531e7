/// The background supervisor of a person: one process that hosts many named cages, answers on a unix socket, and ends
/// with everything that it hosts. Start at [ResidentServer], which listens, and [ResidentClient], which asks. A
/// [LivingCage] is one session with a cage that stands. Decides nothing itself: what starts in a cage passes that
/// session's gate.
@NullMarked
package dev.cagewright.supervisor.resident;

import org.jspecify.annotations.NullMarked;
