package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.CopySuite;

class NamespacesCopyTest extends CopySuite {
    @Override
    protected Runtime open() throws ConfinementException {
        return NamespacesRuntime.start();
    }
}
