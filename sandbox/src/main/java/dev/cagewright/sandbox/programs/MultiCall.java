package dev.cagewright.sandbox.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Finds allowed programs that share one file with programs which are not allowed: busybox and its kin, by
/// links or hard links. The kernel judges files, so such a rule is advice. Looks through the search path only
/// if an allowed program gives a reason to.
final class MultiCall {
    private static final int SHOWN = 12;
    /// What remains of a name without version, target triple and the like.
    private static final Pattern DECORATION = Pattern.compile("^.*linux-gnu-|[-.0-9]+$|\\.[a-z]+$");

    private final Programs programs;
    private final Map<Path, ResolvedProgram> suspects = new TreeMap<>();

    MultiCall(Programs programs) {
        this.programs = programs;
    }

    void note(ResolvedProgram program) {
        boolean otherName = !stem(String.valueOf(program.named().getFileName())).equals(stem(program.targetName()));
        if (otherName || hardLinks(program.target()) > 1) {
            suspects.putIfAbsent(program.target(), program);
        }
    }

    private static String stem(String name) {
        return DECORATION.matcher(name).replaceAll("");
    }

    private int hardLinks(Path target) {
        try {
            return (Integer) Files.getAttribute(programs.onHost(target), "unix:nlink", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException _) {
            return 1;
        }
    }

    /// One sentence for each file of several tools of which not all are in `allowed`.
    List<String> warnings(Set<String> allowed) {
        if (suspects.isEmpty()) {
            return List.of();
        }
        var tools = toolsByFile();
        var sentences = new ArrayList<String>();
        for (ResolvedProgram program : suspects.values()) {
            var names = new TreeSet<>(tools.getOrDefault(fileKey(program.target()), Set.of()));
            names.removeAll(allowed);
            names.remove(program.targetName());
            names.removeIf(name -> stem(name).equals(stem(program.asked().latin1())));
            if (!names.isEmpty()) {
                sentences.add(sentence(program, List.copyOf(names)));
            }
        }
        return sentences;
    }

    private static String sentence(ResolvedProgram program, List<String> others) {
        var shown = String.join(", ", others.subList(0, Math.min(SHOWN, others.size())));
        var more = others.size() > SHOWN ? " and " + (others.size() - SHOWN) + " more" : "";
        return program.named() + " is one file (" + program.target() + ") with " + shown + more
                + ": allowing one allows all of them";
    }

    private Map<Object, Set<String>> toolsByFile() {
        var tools = new HashMap<Object, Set<String>>();
        for (String name : programs.namesOnPath(_ -> true)) {
            programs.find(name)
                    .ifPresent(found -> tools.computeIfAbsent(fileKey(found.target()), _ -> new TreeSet<>())
                            .add(name));
        }
        return tools;
    }

    private Object fileKey(Path target) {
        try {
            Object key = Files.readAttributes(programs.onHost(target), BasicFileAttributes.class)
                    .fileKey();
            return key == null ? target : key;
        } catch (IOException _) {
            return target;
        }
    }
}
