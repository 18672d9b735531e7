/// Files of the host by open directories, for trees that a cage may have written: names are bytes, looked up one
/// by one or by a path that the kernel keeps below the directory, and links are never followed. Start at
/// [HostFolder] and [HostFile]. Nothing here decides what may be written.
@NullMarked
package dev.cagewright.sandbox.files;

import org.jspecify.annotations.NullMarked;
