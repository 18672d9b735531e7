/// Several policy files as one: an organisation's, a user's, a project's. Start at [EffectivePolicy] and [Layer]. A
/// layer can only take away: denials unite, limits shrink, isolation grows. Nothing here reads files or decides what
/// a single document does not already say.
@NullMarked
package dev.cagewright.policy.layers;

import org.jspecify.annotations.NullMarked;
