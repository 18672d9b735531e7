/// Capabilities that can only be narrowed: a chain of links, root first, signed as a whole with the host's key. Start
/// at [TokenVerifier], the one place where a token is believed, and [TokenMint], the only maker of one; [TokenJudge]
/// is a verified token as one of the gate's judges.
///
/// A right is what every link grants: the verifier intersects them itself and takes nobody's word for a narrowing.
/// What a link does not mention it does not grant. The bytes that were signed are the bytes that are read, once. A
/// token is a bearer secret, so nothing here prints one. Nothing here opens a file, keeps a list of what is revoked
/// ([Revocations] is the port) or knows the time by itself.
@NullMarked
package dev.cagewright.policy.token;

import org.jspecify.annotations.NullMarked;
