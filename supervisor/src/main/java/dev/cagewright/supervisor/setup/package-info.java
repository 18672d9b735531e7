/// What a policy wants to go well before anything else of it runs. Start at [SetupPhase]. Knows nothing of who looks
/// on.
@NullMarked
package dev.cagewright.supervisor.setup;

import org.jspecify.annotations.NullMarked;
