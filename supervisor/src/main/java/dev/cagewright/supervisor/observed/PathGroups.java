package dev.cagewright.supervisor.observed;

import dev.cagewright.policy.match.PathPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Paths of one host as patterns: themselves; where they are many, the folders that have several of them.
final class PathGroups {
    /// Up to this many stand as they are.
    static final int MOST_EXACT = 12;

    /// From this many on, the paths of one folder become `FOLDER/*`.
    static final int SIBLINGS = 3;

    private PathGroups() {}

    /// @param paths in the spelling of requests, sorted
    static List<String> of(Set<String> paths) {
        if (paths.size() <= MOST_EXACT) {
            return paths.stream().map(PathPattern::meaningOnly).toList();
        }
        var byFolder = new TreeMap<String, List<String>>();
        for (String path : paths) {
            byFolder.computeIfAbsent(folderOf(path), _ -> new ArrayList<>()).add(path);
        }
        var patterns = new ArrayList<String>();
        byFolder.forEach((folder, inIt) -> {
            if (inIt.size() < SIBLINGS || folder.isEmpty()) {
                inIt.stream().map(PathPattern::meaningOnly).forEach(patterns::add);
            } else {
                patterns.add(PathPattern.meaningOnly(folder) + "/*");
                inIt.stream()
                        .filter(path -> path.endsWith("/"))
                        .map(PathPattern::meaningOnly)
                        .forEach(patterns::add);
            }
        });
        return patterns;
    }

    /// Empty for what stands right below the root, which is never opened as a whole.
    private static String folderOf(String path) {
        return path.substring(0, Math.max(path.lastIndexOf('/'), 0));
    }
}
