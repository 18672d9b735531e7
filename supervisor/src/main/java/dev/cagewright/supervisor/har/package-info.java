/// A session's capture as an HTTP archive, HAR 1.2, for a browser's developer tools. Start at [HarFile]; [HarEntry] is
/// one
/// exchange as one side of the gateway saw it, [ReadableBody] decodes what can be read. Reads captures, never the
/// traffic.
@NullMarked
package dev.cagewright.supervisor.har;

import org.jspecify.annotations.NullMarked;
