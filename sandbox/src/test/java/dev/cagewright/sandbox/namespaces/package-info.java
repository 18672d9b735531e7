/// The namespaces runtime under the conformance suites, and what only it can get wrong.
@NullMarked
package dev.cagewright.sandbox.namespaces;

import org.jspecify.annotations.NullMarked;
