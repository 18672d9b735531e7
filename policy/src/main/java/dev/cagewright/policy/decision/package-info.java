/// The answers to an action, as values. Start at [Decision] and [DenyCode]. Nothing here decides.
@NullMarked
package dev.cagewright.policy.decision;

import org.jspecify.annotations.NullMarked;
