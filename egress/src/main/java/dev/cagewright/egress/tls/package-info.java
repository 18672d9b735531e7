/// TLS both ways: what the cage's clients shake hands with ([TlsServers]), and how origins are verified
/// ([TlsClients], [Trust]). Nothing here decides which.
@NullMarked
package dev.cagewright.egress.tls;

import org.jspecify.annotations.NullMarked;
