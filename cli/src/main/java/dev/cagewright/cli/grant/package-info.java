/// What a person sees of grants, and gives and takes from outside of the cage. Start at
/// [dev.cagewright.cli.grant.GrantsCommands]. Nothing here decides: an order goes to the session that lives.
@NullMarked
package dev.cagewright.cli.grant;

import org.jspecify.annotations.NullMarked;
