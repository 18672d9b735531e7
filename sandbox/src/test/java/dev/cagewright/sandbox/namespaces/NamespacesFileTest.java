package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.FileSuite;

class NamespacesFileTest extends FileSuite {
    @Override
    protected Runtime open() throws ConfinementException {
        return NamespacesRuntime.start();
    }
}
