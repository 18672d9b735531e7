/// Regular expressions whose matching takes time that grows with the text and no faster, whatever the pattern. Start at
/// [dev.cagewright.supervisor.schema.pattern.LinearPattern]. What cannot be matched so (references back, looking
/// around) is refused when a pattern is read.
@NullMarked
package dev.cagewright.supervisor.schema.pattern;

import org.jspecify.annotations.NullMarked;
