/// How a cage's client is told no: inside HTTP ([RefusalPage]), in TLS before it is opened ([TlsAlert]), or
/// with nothing else to say ([Abort]). Nothing here decides.
@NullMarked
package dev.cagewright.egress.refusal;

import org.jspecify.annotations.NullMarked;
