/// Requests that a person has to agree to: their bodies, kept back until then, and what the person is shown. Start at
/// [dev.cagewright.egress.question.WithheldBody] and [dev.cagewright.egress.question.RequestExhibit]. Nothing here
/// asks,
/// decides or sends.
@NullMarked
package dev.cagewright.egress.question;

import org.jspecify.annotations.NullMarked;
