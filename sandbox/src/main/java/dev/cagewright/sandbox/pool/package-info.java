/// Cages built before anybody asks for them. Start at [WarmPool] and [SpecDigest]. A cage serves one session: it
/// leaves the pool once and never comes back. Nothing here knows what a cage is made of; whether one may still
/// be used is its runtime's word.
@NullMarked
package dev.cagewright.sandbox.pool;

import org.jspecify.annotations.NullMarked;
