/// What a cage sees, as a list of mounts in the one order that is right. Start at [FileTree]. Nothing here
/// touches the file tree it describes; the helper does.
@NullMarked
package dev.cagewright.sandbox.namespaces.tree;

import org.jspecify.annotations.NullMarked;
