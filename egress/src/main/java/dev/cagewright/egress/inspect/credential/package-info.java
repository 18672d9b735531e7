/// Finds credentials in bytes by the formats that their vendors publish. Start at [Credentials], one look at a
/// stream of bytes, and [PublishedFormats], the list. [Literals] finds where one may begin, [Scanner] whether one is
/// there; [Reading] undoes base64, hex and escapes and looks again. Every byte costs a bounded number of steps.
@NullMarked
package dev.cagewright.egress.inspect.credential;

import org.jspecify.annotations.NullMarked;
