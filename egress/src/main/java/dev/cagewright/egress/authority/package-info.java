/// The certificate authority of one cage, with which the gateway opens the cage's TLS. Start at [CageAuthority]; what
/// it hands out is a [Leaf]. Its key exists in this process's memory only and is never written, sent or shown; only
/// the certificate leaves, for the cage's trust stores. Nothing here reads a file or opens a socket.
@NullMarked
package dev.cagewright.egress.authority;

import org.jspecify.annotations.NullMarked;
