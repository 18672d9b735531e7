/// HTTP as values: who a request is for ([Authority]), read once by a strict grammar, and what is judged is what is
/// sent.
@NullMarked
package dev.cagewright.egress.http;

import org.jspecify.annotations.NullMarked;
