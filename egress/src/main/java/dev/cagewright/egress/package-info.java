/// The only way out of a cage. Start at [Gateway], which takes a cage's listening socket, and [CageNetwork],
/// what it has to know of the cage. Knows no runtime, no audit log and no policy file: those are behind
/// [Rulebook] and [Chronicle].
@NullMarked
package dev.cagewright.egress;

import org.jspecify.annotations.NullMarked;
