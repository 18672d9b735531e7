package dev.cagewright.cli.completion;

import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What a word of the command line can be the name of.
enum NameKind {
    CAGES("up stop restart exec shell logs edit verify destroy backup") {
        @Override
        List<String> all(StateFolders folders) throws IOException {
            return NamedCages.of(folders).names();
        }
    },
    SCAFFOLDS("run") {
        @Override
        List<String> all(StateFolders folders) throws IOException {
            return Scaffolds.of(folders).names();
        }
    },
    SESSIONS("net har summary changes apply discard resume") {
        @Override
        List<String> all(StateFolders folders) throws IOException {
            var names = new ArrayList<>(List.of("last"));
            names.addAll(files(folders.state().resolve("sessions"), "[a-z2-7]{10}"));
            return names;
        }
    },
    POLICIES("") {
        @Override
        List<String> all(StateFolders folders) throws IOException {
            return files(folders.config().resolve("policies"), ".*\\.(yaml|yml|json)").stream()
                    .map(file -> file.substring(0, file.lastIndexOf('.')))
                    .toList();
        }
    };

    /// So many names are offered.
    private static final int MOST = 500;

    private final String commands;

    NameKind(String commands) {
        this.commands = commands;
    }

    /// The commands whose first word after them is such a name.
    List<String> commands() {
        return commands.isEmpty() ? List.of() : List.of(commands.split(" ", -1));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Reads an accepted word.
    ///
    /// @throws IllegalArgumentException naming the accepted words
    static NameKind parse(String word) {
        return Stream.of(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--names: \"" + word + "\" (expected: cages, scaffolds, sessions or policies)"));
    }

    /// The names that no shell takes for anything else.
    List<String> names(StateFolders folders) throws IOException {
        return all(folders).stream()
                .filter(name -> name.matches("[A-Za-z0-9][A-Za-z0-9._-]*"))
                .sorted()
                .limit(MOST)
                .toList();
    }

    abstract List<String> all(StateFolders folders) throws IOException;

    private static List<String> files(Path folder, String form) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.matches(form))
                    .limit(10L * MOST)
                    .toList();
        }
    }
}
