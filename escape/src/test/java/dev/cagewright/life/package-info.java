/// The background supervisor of the packaged product: what it does for people, and what it leaves behind when it is
/// used
/// often and killed at any moment. Start at [LifeTest]; [LifeRounds] is the same for long.
@NullMarked
package dev.cagewright.life;

import org.jspecify.annotations.NullMarked;
