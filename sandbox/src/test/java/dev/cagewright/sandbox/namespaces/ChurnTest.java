package dev.cagewright.sandbox.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.Ran;
import dev.cagewright.sandbox.conformance.RuntimeConformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Many cages one after the other leave nothing behind.
class ChurnTest extends RuntimeConformance {
    private static final int RUNS = 200;

    @Override
    protected Runtime open() throws ConfinementException {
        return NamespacesRuntime.start();
    }

    @Test
    void B162_two_hundred_cages_leave_no_process_zombie_or_descriptor()
            throws ConfinementException, IOException, InterruptedException {
        run();
        long processes = ProcessHandle.current().descendants().count();
        long descriptors = descriptors();

        for (int i = 0; i < RUNS; i++) {
            run();
        }

        assertThat(ProcessHandle.current().descendants().count())
                .as("processes and zombies below this one")
                .isEqualTo(processes);
        assertThat(descriptors()).as("descriptors of this process").isLessThanOrEqualTo(descriptors + 2);
    }

    private void run() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            assertThat(Ran.program(cage, workspace.toString(), "/bin/true")
                            .exit()
                            .status())
                    .isZero();
        }
    }

    private static long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
