/// Named cages that are up: start them, work in them, end them. Start at [UpCommand] and [ExecCommand]; the background
/// supervisor itself is [SuperviseCommand]. What a cage may do is settled there and not here.
@NullMarked
package dev.cagewright.cli.life;

import org.jspecify.annotations.NullMarked;
