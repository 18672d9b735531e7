/// `cagewright secret`: stores, lists, binds, rotates and removes secrets. Start at [SecretCommands]. A value comes
/// from
/// a prompt, standard input, a file or a command and never from the command line; nothing here prints one.
@NullMarked
package dev.cagewright.cli.secret;

import org.jspecify.annotations.NullMarked;
