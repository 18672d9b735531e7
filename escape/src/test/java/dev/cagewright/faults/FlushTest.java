package dev.cagewright.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What gets its name by a rename keeps it through a loss of power: the folder is flushed afterwards, each time.
class FlushTest {
    /// A name, as the steps of a run have it, and the folder that holds it.
    private record Renamed(String name, String folder) {}

    private static final List<Renamed> NAMES = List.of(
            new Renamed("session.json", "ID"),
            new Renamed("receipt.json", "ID"),
            new Renamed("receipt-key", "cagewright"),
            new Renamed("[0-9a-f]{64}\\.yaml", "policies"),
            new Renamed("placeholders", "placeholders"));

    @TempDir
    private Path root;

    @Test
    void whatever_is_renamed_has_its_folder_flushed() throws IOException, InterruptedException {
        var steps = new ArrayList<>(
                Rounds.steps(Stopper.compile(), root).stream().map(Step::name).toList());
        for (Renamed renamed : NAMES) {
            int found = 0;
            for (int at = 0; at < steps.size(); at++) {
                if (steps.get(at).matches("supervisor rename " + renamed.name + "#[0-9]+")) {
                    found++;
                    flushed(steps, at, renamed.folder);
                }
            }
            assertThat(found).as("renames to " + renamed.name).isPositive();
        }
    }

    /// One flush is for one rename.
    private static void flushed(List<String> steps, int at, String folder) {
        for (int later = at + 1; later < steps.size(); later++) {
            if (steps.get(later).matches("supervisor fsync " + folder + "#[0-9]+")) {
                steps.set(later, "");
                return;
            }
        }
        assertThat(steps.subList(at, steps.size()))
                .as("a flush of " + folder + " after " + steps.get(at))
                .isEmpty();
    }
}
