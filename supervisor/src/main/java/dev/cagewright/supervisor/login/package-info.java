/// The tokens of those who log in in a cage: kept in the person's store for the home that the cage has, lent again to
/// whoever has that home, and nobody else. Start at [dev.cagewright.supervisor.login.RunLogins]. No value goes into a
/// cage, into a file that is not sealed, or into text.
@NullMarked
package dev.cagewright.supervisor.login;

import org.jspecify.annotations.NullMarked;
