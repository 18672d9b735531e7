/// The default runtime: a static helper, started once from memory, that becomes the first process of each
/// cage. Start at [NamespacesRuntime] and [FileTree]. Nothing here decides what may run; it takes a
/// warrant and builds what the specification says, or refuses.
@NullMarked
package dev.cagewright.sandbox.namespaces;

import org.jspecify.annotations.NullMarked;
