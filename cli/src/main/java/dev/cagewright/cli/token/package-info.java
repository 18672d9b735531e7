/// `cagewright token ...`: makes keys and tokens, hands them on, takes them back, shows them. Start at
/// [TokenCommands]. A token or key comes from a file or the standard input, never from the command line.
@NullMarked
package dev.cagewright.cli.token;

import org.jspecify.annotations.NullMarked;
