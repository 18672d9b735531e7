/// HTTP as values: who a request is for ([Authority]), what it asks ([RequestHead]), read once and strictly
/// ([RequestDecoder]), and what is judged is what is sent. Nothing here decides or dials.
@NullMarked
package dev.cagewright.egress.http;

import org.jspecify.annotations.NullMarked;
