package dev.cagewright.sandbox.gitconfig;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What came into a configuration file that is not known to be harmless, while a workload could have written it.
///
/// @param text the file without it; empty if nothing came
/// @param settings what came, each safe on a terminal
public record ConfigIntrusion(Optional<String> text, List<String> settings) {
    private static final int MOST = 500;

    public ConfigIntrusion {
        settings = List.copyOf(settings);
    }

    /// Compares two texts of one file, one char a byte. A file that git would not read, or of more than 500 settings,
    /// is
    /// put back as it was.
    public static ConfigIntrusion of(String before, String now, HarmlessSettings harmless) {
        var known = ConfigText.parse(before).settings();
        var file = ConfigText.parse(now);
        if (!file.isWhole() || file.settings().size() > MOST) {
            return before.equals(now)
                    ? new ConfigIntrusion(Optional.empty(), List.of())
                    : new ConfigIntrusion(Optional.of(before), List.of("what git would not read"));
        }
        var kept = file;
        var came = new ArrayList<String>();
        for (Setting one : List.copyOf(file.settings())) {
            if (!known.contains(one) && harmless.objection(one, file).isPresent()) {
                kept = kept.without(one);
                came.add(one.toString());
            }
        }
        return came.isEmpty()
                ? new ConfigIntrusion(Optional.empty(), List.of())
                : new ConfigIntrusion(Optional.of(kept.text()), came);
    }
}
