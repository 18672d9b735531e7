/// `demo attack` in a network where every address of the world listens, and its agent without a cage in the same
/// network: what comes to nothing in the one gets through in the other.
@NullMarked
package dev.cagewright.demo;

import org.jspecify.annotations.NullMarked;
