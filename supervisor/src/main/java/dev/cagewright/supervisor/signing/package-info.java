/// Signatures for git by the person's ssh agent: a socket in the cage that speaks the agent's protocol and does two
/// things of it, showing one key and signing what git signs. Start at
/// [dev.cagewright.supervisor.signing.SigningSocket] and [dev.cagewright.supervisor.signing.SigningClerk]. Nothing that
/// opens a connection anywhere is ever signed, and no key goes in or out.
@NullMarked
package dev.cagewright.supervisor.signing;

import org.jspecify.annotations.NullMarked;
