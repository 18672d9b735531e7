/// The published versions of the Model Context Protocol as values: what each is called ([ProtocolVersion]), what it can
/// say ([Dialect]), and the names it gives to what accompanies a message ([Meta]). Nothing here reads, writes or calls.
@NullMarked
package dev.cagewright.mcp.protocol;

import org.jspecify.annotations.NullMarked;
