package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.ProgramSuite;

class NamespacesProgramTest extends ProgramSuite {
    @Override
    protected Runtime open() throws ConfinementException {
        return NamespacesRuntime.start();
    }
}
