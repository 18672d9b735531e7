/// The command line of the packaged product as a person uses it: real processes, real terminals, exit
/// codes, messages and what is left behind. Start at [dev.cagewright.commands.ExitCodeTest]; a [Desk] is one person's
/// folders. Nothing here looks inside of the product.
@NullMarked
package dev.cagewright.commands;

import org.jspecify.annotations.NullMarked;
