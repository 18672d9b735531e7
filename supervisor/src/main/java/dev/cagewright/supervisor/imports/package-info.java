/// Policies of other tools, made into ones of this product. Start at [PolicyImport], and then [Draft]: what is
/// written never grants more than the source did, each key of the source is carried over, narrowed or named, and what
/// comes out is a policy that the product's own reader takes.
///
/// Nothing that a source says is executed, fetched or expanded; no value of its environment or secrets is repeated.
@NullMarked
package dev.cagewright.supervisor.imports;

import org.jspecify.annotations.NullMarked;
