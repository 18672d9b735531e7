/// Asking the kernel for what the JDK has no words for: descriptors over sockets, memory files, spawning
/// from one, polling, terminals. Start at [ControlSocket] and [FileControl]. Descriptors are plain numbers
/// here; who owns one says the method. Nothing here knows what a cage is.
@NullMarked
package dev.cagewright.sandbox.kernel;

import org.jspecify.annotations.NullMarked;
