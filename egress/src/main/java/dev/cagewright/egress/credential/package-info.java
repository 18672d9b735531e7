/// Secrets at the gateway: where a decoy may stand, the value in its place in what leaves, and the decoy again in the
/// place of the value in what comes back. Start at [dev.cagewright.egress.credential.Credentials], what a session
/// holds, and [dev.cagewright.egress.credential.Binding], where a secret may go. Nothing here records a value, and
/// nothing but the buffer of the one request that goes out has it.
@NullMarked
package dev.cagewright.egress.credential;

import org.jspecify.annotations.NullMarked;
