package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.TerminalSuite;

class NamespacesTerminalTest extends TerminalSuite {
    @Override
    protected Runtime open() throws ConfinementException {
        return NamespacesRuntime.start();
    }
}
