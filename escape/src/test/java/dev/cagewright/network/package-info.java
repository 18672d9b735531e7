/// The network of a cage, from the packaged product: real clients in the cage, real servers on this machine,
/// and what the log says afterwards.
@NullMarked
package dev.cagewright.network;

import org.jspecify.annotations.NullMarked;
