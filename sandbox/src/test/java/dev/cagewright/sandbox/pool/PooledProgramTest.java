package dev.cagewright.sandbox.pool;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.ProgramSuite;

class PooledProgramTest extends ProgramSuite {
    @Override
    protected Runtime open() throws ConfinementException {
        return FromThePool.start();
    }
}
