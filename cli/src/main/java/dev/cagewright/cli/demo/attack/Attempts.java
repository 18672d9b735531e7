package dev.cagewright.cli.demo.attack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The list of what is tried, and the program that tries it: `attempts.txt` and `agent.py` beside this class.
final class Attempts {
    /// Parts of the program that have a cage each, in their order.
    static final List<String> PARTS = List.of("disk", "memory", "output", "main");

    private Attempts() {}

    /// In the order in which they are told.
    static List<Attempt> all() throws IOException {
        var attempts = new ArrayList<Attempt>();
        var group = "";
        for (String line : text("attempts.txt").lines().toList()) {
            if (line.startsWith("= ")) {
                group = line.substring(2);
            } else if (!line.startsWith("#") && !line.isBlank()) {
                var columns = line.split(" \\| ", -1);
                attempts.add(new Attempt(columns[0], group, columns[1], Evidence.parse(columns[2])));
            }
        }
        return List.copyOf(attempts);
    }

    /// The agent, Python 3.8 or newer.
    static String program() throws IOException {
        return text("agent.py");
    }

    private static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Attempts.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
