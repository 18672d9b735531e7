package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Runtime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A real cage for each test, and the words the suites speak.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RuntimeConformance {
    private Runtime runtime;

    @TempDir
    protected Path scratch;

    protected Path workspace;

    /// The runtime under test, started.
    protected abstract Runtime open() throws ConfinementException;

    @BeforeAll
    void start() throws ConfinementException {
        runtime = open();
    }

    @AfterAll
    void stop() {
        runtime.close();
    }

    @BeforeEach
    void makeWorkspace() throws IOException {
        workspace = Files.createDirectory(scratch.toRealPath().resolve("workspace"));
    }

    protected final Runtime runtime() {
        return runtime;
    }

    protected final CageSpec spec() throws ConfinementException {
        return spec(Access.READ_WRITE);
    }

    protected final CageSpec spec(Access access) throws ConfinementException {
        return CageSpec.of("test", HostDirectory.open(ByteString.of(workspace.toString()), access));
    }

    protected final Ran script(Cage cage, String script) throws ConfinementException, InterruptedException {
        return Ran.script(cage, workspace.toString(), script);
    }

    protected final Ran script(CageSpec spec, String script) throws ConfinementException, InterruptedException {
        try (var cage = runtime.create(spec)) {
            return script(cage, script);
        }
    }

    /// The script must end with status 0 and say nothing on standard error.
    protected final String ok(CageSpec spec, String script) throws ConfinementException, InterruptedException {
        var ran = script(spec, script);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.exit().status()).isZero();
        return ran.out();
    }
}
