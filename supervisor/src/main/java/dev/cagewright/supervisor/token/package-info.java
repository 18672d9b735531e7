/// Tokens as files: the host's key, what is handed over, the signed list of what is revoked and how new a list was
/// seen. Start at [TokenOffice], where commands mint, delegate and revoke, each on the record, and at
/// [RevocationFile]. What a token means is decided in `policy.token` alone; nothing here prints a token or a key.
@NullMarked
package dev.cagewright.supervisor.token;

import org.jspecify.annotations.NullMarked;
