/// A description of what may stand in a file that both reads it and becomes its JSON Schema. Start at [Shape] and
/// [Group]. Nothing here knows a key by name or opens a file.
@NullMarked
package dev.cagewright.supervisor.policyfile.shape;

import org.jspecify.annotations.NullMarked;
