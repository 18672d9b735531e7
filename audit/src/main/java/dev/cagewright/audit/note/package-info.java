/// Signed notes in the form of c2sp.org/signed-note, and the cosignatures of c2sp.org/tlog-cosignature. Start at
/// [SignedNote] and [NoteKey]. Knows the form, never the meaning of a text.
@NullMarked
package dev.cagewright.audit.note;

import org.jspecify.annotations.NullMarked;
