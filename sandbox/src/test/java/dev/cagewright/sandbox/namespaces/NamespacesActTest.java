package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.ActSuite;

class NamespacesActTest extends ActSuite {
    @Override
    protected Runtime open() throws ConfinementException {
        return NamespacesRuntime.start();
    }
}
