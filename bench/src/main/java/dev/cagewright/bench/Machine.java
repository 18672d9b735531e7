package dev.cagewright.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What was measured on, without its name.
final class Machine {
    private Machine() {}

    /// @param disk where the durable appends went
    static List<String> facts(Path disk) throws IOException {
        var facts = new ArrayList<String>();
        facts.add("- processors: " + Runtime.getRuntime().availableProcessors() + " ("
                + field("/proc/cpuinfo", "model name") + ")");
        facts.add("- memory: "
                + Unit.KIBIBYTES.words(1024.0
                        * Long.parseLong(field("/proc/meminfo", "MemTotal").split(" ")[0])));
        facts.add("- kernel: Linux " + System.getProperty("os.version") + ", " + System.getProperty("os.arch"));
        facts.add("- JVM: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.add("- file system of the audit log: " + Files.getFileStore(disk).type());
        facts.add("- user: " + (System.getProperty("user.name").equals("root") ? "root" : "an ordinary one"));
        return facts;
    }

    private static String field(String file, String name) throws IOException {
        return Files.readAllLines(Path.of(file)).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }
}
