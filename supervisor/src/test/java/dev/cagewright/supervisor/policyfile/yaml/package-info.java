/// Texts that no YAML reader should take, and those it should.
@NullMarked
package dev.cagewright.supervisor.policyfile.yaml;

import org.jspecify.annotations.NullMarked;
