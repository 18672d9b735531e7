package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// Programs that people really run, doing their work in a cage.
public abstract class ProgramSuite extends RuntimeConformance {
    private void works(String script) throws ConfinementException, InterruptedException {
        var ran = script(spec(), "set -e\n" + script);
        assertThat(ran.exit().status()).as(ran.out() + ran.err()).isZero();
    }

    @Test
    void git_commits_and_clones() throws ConfinementException, InterruptedException {
        works("git init -q a; cd a; git config user.email a@b; git config user.name a; echo x > f; git add f; "
                + "git commit -q -m first; cd ..; git clone -q a b; test -f b/f; git -C b status --short");
    }

    @Test
    void a_compiler_makes_a_program_that_runs() throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("a.c"), "int main(void) { return 0; }\n");
        works("cc -o a a.c; ./a; cc -o /tmp/a a.c; /tmp/a");
    }

    @Test
    void python_uses_processes_threads_and_shared_memory()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("a.py"), """
                import multiprocessing, tempfile
                from multiprocessing import shared_memory
                def square(x): return x * x
                if __name__ == "__main__":
                    with multiprocessing.Pool(2) as pool: assert pool.map(square, range(4)) == [0, 1, 4, 9]
                    shared_memory.SharedMemory(create=True, size=4096).unlink()
                    tempfile.TemporaryFile().write(b"x")
                """);
        works("python3 a.py");
    }

    @Test
    void archives_are_packed_and_unpacked() throws ConfinementException, InterruptedException {
        works(
                "mkdir d; echo x > d/f; ln -s f d/l; tar czf a.tgz d; rm -r d; tar xzf a.tgz; test -L d/l; cp -a d e; rm -rf d e");
    }
}
