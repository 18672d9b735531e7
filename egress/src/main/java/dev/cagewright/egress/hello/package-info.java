/// The first bytes of a TLS connection, read before any of them moves on. Start at [ClientHello]. No cryptography and
/// no
/// buffer kept: the same bytes may be given to a TLS engine or to the origin afterwards.
@NullMarked
package dev.cagewright.egress.hello;

import org.jspecify.annotations.NullMarked;
