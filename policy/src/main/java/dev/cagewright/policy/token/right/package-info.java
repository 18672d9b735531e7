/// What a token grants, axis by axis. Start at [Rights] and [Axis]; [RightsJudge] is how an action is held against
/// them. Patterns are those of policies. Nothing here knows of keys, chains or time.
@NullMarked
package dev.cagewright.policy.token.right;

import org.jspecify.annotations.NullMarked;
