package dev.cagewright.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.escape.stage.Person;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Namespaces in which the program `world.py` is every address.
///
/// @param folder holds what it heard
record World(Path folder) {
    private static final String PYTHON = "/usr/bin/python3";

    static World in(Path folder) throws IOException {
        Files.writeString(folder.resolve("world.py"), text("world.py"));
        Files.writeString(folder.resolve("resolv.conf"), "nameserver 198.18.0.53\n");
        Files.writeString(folder.resolve("heard"), "");
        return new World(folder);
    }

    private static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(World.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// `command` in it, as that person.
    ///
    /// @param more words of `unshare` beside those for the network and the mounts
    List<String> words(Person person, List<String> more, List<String> command) {
        var words = new ArrayList<>(List.of("unshare", "--net", "--mount"));
        if (Person.self() != 0) {
            words.addAll(List.of("--user", "--map-root-user"));
        }
        words.addAll(more);
        words.addAll(List.of(PYTHON, folder.resolve("world.py").toString()));
        words.addAll(List.of(
                folder.resolve("heard").toString(),
                folder.resolve("resolv.conf").toString(),
                "--"));
        words.addAll(person.does(command));
        return words;
    }

    /// Everything that came to any address, a line each.
    List<String> heard() throws IOException {
        return Files.readAllLines(folder.resolve("heard"), StandardCharsets.ISO_8859_1);
    }

    /// The tools that it needs.
    static void requireTools() {
        for (String tool : List.of(PYTHON, "/usr/bin/unshare")) {
            assertThat(Path.of(tool)).as("a tool that this test needs").isExecutable();
        }
    }
}
