package dev.cagewright.supervisor.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.supervisor.copy.Mechanism;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PivotReportTest {
    @TempDir
    Path temp;

    @Test
    void B113_what_the_host_would_execute_is_told_and_what_it_would_not_is_not()
            throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.OVERLAY)
                .onHost("echo all: > Makefile; echo '{}' > package.json; echo x > tool; echo x > had; chmod 755 had")
                .begins()
                .inCopy("""
                        echo 'all: ; touch pwned' > Makefile; touch package.json; chmod 755 tool; chmod 700 had
                        mkdir -p .github/workflows sub bin; echo on: > .github/workflows/ci.yml; echo e > sub/.envrc
                        printf '#!/bin/sh\\n' > script; cp /bin/true bin/git; chmod 755 bin/git; echo t > notes.txt
                        echo '{}' > .mcp.json; ln -s notes.txt GNUmakefile; rm had
                        """);

        assertThat(PivotReport.of(tree.changes()).findings().stream().map(PivotReport.Finding::line))
                .containsExactly(
                        ".github/workflows/ci.yml: is new: a build server runs it",
                        ".mcp.json: is new: agents, editors, shells or git obey it (agent-config)",
                        "GNUmakefile: is new: make runs it",
                        "Makefile: was changed: make runs it",
                        "bin/git: is new: is executable and stands where programs are looked for by name",
                        "script: is new: is a script (#!) without permission to execute",
                        "sub/.envrc: is new: a shell, interpreter or debugger runs it at its start",
                        "tool: became executable");
    }

    @Test
    void after_a_run_the_first_ones_are_told_and_where_the_changes_are() throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.OVERLAY)
                .onHost("echo x > x")
                .begins()
                .inCopy("mkdir bin; for i in $(seq 10 31); do echo $i > bin/$i; chmod 755 bin/$i; done; echo n > n");
        tree.copy();

        assertThat(PivotReport.told(tree.session()))
                .hasSize(21)
                .startsWith("bin/10: is new: is executable and stands where programs are looked for by name")
                .endsWith("2 more that the host would execute");
    }

    @Test
    void a_session_without_copies_or_changes_tells_nothing() throws IOException, InterruptedException {
        assertThat(PivotReport.told(temp)).isEmpty();
        var tree = new CopiedTree(temp, Mechanism.OVERLAY)
                .onHost("echo x > x")
                .begins()
                .inCopy("touch x");
        tree.copy();

        assertThat(PivotReport.told(tree.session())).isEmpty();
    }
}
