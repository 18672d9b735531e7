package dev.cagewright.cli.life;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.DenialText;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.resident.RefusedException;
import dev.cagewright.supervisor.resident.ResidentClient;
import dev.cagewright.supervisor.resident.ResidentStart;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The background supervisor as commands have it.
///
/// @param environment the variables of whoever asks
public record Background(Console console, StateFolders folders, Map<String, String> environment) {
    /// The start script names itself by it.
    static final String LAUNCHER = "cagewright.launcher";

    private static final String MAIN = "dev.cagewright.cli.Main";

    public Background {
        environment = Map.copyOf(environment);
    }

    /// The one that answers, started if none does.
    ResidentClient started() throws IOException {
        return new ResidentStart(command("supervise"), environment).client(folders);
    }

    /// The one that answers.
    ///
    /// @param name of a cage that something is wanted of
    /// @throws IllegalArgumentException if none does: no cage is up
    ResidentClient found(String name) throws IOException {
        return ResidentClient.find(folders)
                .orElseThrow(() -> new IllegalArgumentException(
                        name + " is not up, and neither is any other cage (expected: cagewright up " + name + ")"));
    }

    /// This product's own command with these words, wherever it is started from.
    static List<String> command(String... words) {
        var launcher = System.getProperty(LAUNCHER, "");
        var all = new ArrayList<String>();
        if (launcher.startsWith("/")) {
            all.add(launcher);
        } else {
            all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            all.add("--enable-native-access=ALL-UNNAMED");
            all.add("-cp");
            all.add(System.getProperty("java.class.path"));
            all.add(MAIN);
        }
        all.addAll(List.of(words));
        return all;
    }

    /// Tells why something was refused.
    ///
    /// @return the exit code
    int refused(RefusedException refused) {
        if (refused.denial().isPresent()) {
            new DenialText(console).show("denied", refused.denial().get());
        } else {
            String.valueOf(refused.getMessage()).lines().map(Visible::text).forEach(console::say);
        }
        return refused.code();
    }

    void tell(List<String> sentences) {
        sentences.forEach(sentence -> console.more(Visible.text(sentence)));
    }
}
