/// Bodies of requests that are compressed, and what is looked for in them. Start at
/// [dev.cagewright.egress.credential.packed.PackedBody]. Nothing is put in and nothing is packed again.
@NullMarked
package dev.cagewright.egress.credential.packed;

import org.jspecify.annotations.NullMarked;
