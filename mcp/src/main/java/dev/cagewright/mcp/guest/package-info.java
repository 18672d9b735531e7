/// Somebody else's server as a program in a cage: it is run by the product's own way of running programs, opened in the
/// version that it speaks, asked, and run again when it ends. Start at [Guest]; what runs it is a [GuestProgram], and
/// what it says of its own accord goes to [Ears].
///
/// Whatever a server writes is somebody else's: it is read strictly and bounded, and none of it can make a call wait
/// for ever. Nothing here decides what a call may do.
@NullMarked
package dev.cagewright.mcp.guest;

import org.jspecify.annotations.NullMarked;
