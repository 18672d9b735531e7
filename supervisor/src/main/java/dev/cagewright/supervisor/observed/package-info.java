/// What a run did that no rule allows, and rules that would: start at [Suggestion]. Reads the log only; changes
/// no policy.
@NullMarked
package dev.cagewright.supervisor.observed;

import org.jspecify.annotations.NullMarked;
