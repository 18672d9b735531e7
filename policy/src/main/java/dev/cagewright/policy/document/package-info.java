/// The policy file as values: what a person wrote, checked field by field, with the place of each line.
/// Start at [PolicyDocument] and [Origins]. A section that is absent is an empty `Optional`; a list that is
/// there and empty grants nothing. Nothing here parses YAML, opens a file or decides.
@NullMarked
package dev.cagewright.policy.document;

import org.jspecify.annotations.NullMarked;
