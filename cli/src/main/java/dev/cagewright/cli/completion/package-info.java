/// What a person's shell learns of the product: completion, and functions that start agents in a cage. Start at
/// [CompletionCommand] and [ShellInitCommand]. Prints scripts, changes no file.
@NullMarked
package dev.cagewright.cli.completion;

import org.jspecify.annotations.NullMarked;
