/// Finding decoys in what a cage sends, and writing values into their places. Start at
/// [dev.cagewright.secrets.place.Decoys], made once for a session's secrets, and
/// [dev.cagewright.secrets.place.Writing],
/// which says how a value is written where. Knows nothing of who may send what where.
@NullMarked
package dev.cagewright.secrets.place;

import org.jspecify.annotations.NullMarked;
