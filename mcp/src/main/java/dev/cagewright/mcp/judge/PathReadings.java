package dev.cagewright.mcp.judge;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.sandbox.environment.CageEnvironment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Every path that a text may be to a server: as it is, from its working directory, with `~` as home, out of a `file:`
/// URL, with its escapes undone. All of them are judged. A pattern is judged by the folder that it searches.
record PathReadings(GuestPath here) {
    /// PATH_MAX of linux/limits.h, without the NUL.
    private static final int LONGEST = 4_095;

    private static final String FILE = "file://";
    private static final String WORKSPACE = "/workspace";

    /// @throws OddArgumentException if it cannot be a path, or is an option to most programs
    Set<GuestPath> of(ArgumentPlaces.Place place) throws OddArgumentException {
        var text = place.text();
        requirePlain(place, text);
        var readings = new LinkedHashSet<GuestPath>();
        if (text.regionMatches(true, 0, FILE, 0, FILE.length())) {
            var path = text.substring(FILE.length());
            var local = path.startsWith("localhost/") ? path.substring("localhost".length()) : path;
            if (!local.startsWith("/")) {
                throw new OddArgumentException(place.pointer(), "is a file: URL of another machine");
            }
            readings.add(path(place, decoded(place, local)));
            return readings;
        }
        if (text.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*://.*")) {
            throw new OddArgumentException(place.pointer(), "is a URL where a path is meant");
        }
        readings.add(path(place, text));
        if (text.equals("~") || text.startsWith("~/")) {
            readings.add(path(place, CageEnvironment.HOME + text.substring(1)));
        } else if (text.startsWith("~")) {
            throw new OddArgumentException(place.pointer(), "begins with ~ and a name, which is somebody's home");
        }
        if (text.matches("(?s).*%[0-9A-Fa-f]{2}.*")) {
            readings.add(path(place, decoded(place, text)));
        }
        return readings;
    }

    private static void requirePlain(ArgumentPlaces.Place place, String text) throws OddArgumentException {
        if (text.isEmpty()) {
            throw new OddArgumentException(place.pointer(), "is empty where a path is meant");
        }
        if (text.length() > LONGEST) {
            throw new OddArgumentException(place.pointer(), "is longer than a path can be");
        }
        if (text.startsWith("-")) {
            throw new OddArgumentException(
                    place.pointer(), "begins with -, which programs take for an option; write ./ before it");
        }
        if (Field.hasControl(text)) {
            throw new OddArgumentException(place.pointer(), "has characters that cannot be seen");
        }
    }

    private GuestPath path(ArgumentPlaces.Place place, String text) throws OddArgumentException {
        var folder = searched(place, text);
        try {
            return asPoliciesSay(folder.startsWith("/") ? GuestPath.canonical(folder) : here.child(folder));
        } catch (IllegalArgumentException _) {
            throw new OddArgumentException(place.pointer(), "is no path");
        }
    }

    /// The workspace has its own place in the cage, and one name in policies.
    private GuestPath asPoliciesSay(GuestPath path) {
        boolean isOfWorkspace = !here.value().equals(CageEnvironment.HOME) && path.isWithin(here);
        return isOfWorkspace
                ? new GuestPath(WORKSPACE
                        + path.value()
                                .substring(
                                        here.value().equals("/")
                                                ? 0
                                                : here.value().length()))
                : path;
    }

    /// A pattern as far as it is none.
    private static String searched(ArgumentPlaces.Place place, String text) throws OddArgumentException {
        var steps = List.of(text.split("/", -1));
        int plain = 0;
        while (plain < steps.size() && !isPattern(steps.get(plain))) {
            plain++;
        }
        if (plain == steps.size()) {
            return text;
        }
        for (String step : steps.subList(plain, steps.size())) {
            if (step.contains("..")) {
                throw new OddArgumentException(place.pointer(), "is a pattern that goes back with ..");
            }
        }
        var folder = String.join("/", steps.subList(0, plain));
        return folder.isEmpty() ? text.startsWith("/") ? "/" : "." : folder;
    }

    private static boolean isPattern(String step) {
        return step.chars().anyMatch(c -> "*?[]{}!".indexOf(c) >= 0);
    }

    private static String decoded(ArgumentPlaces.Place place, String text) throws OddArgumentException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var out = ByteBuffer.allocate(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high >= 0 ? Character.digit(bytes[i + 2], 16) : -1;
            out.put(low >= 0 ? (byte) (16 * high + low) : bytes[i]);
            i += low >= 0 ? 2 : 0;
        }
        try {
            var read = StandardCharsets.UTF_8.newDecoder().decode(out.flip()).toString();
            requirePlain(place, read);
            return read;
        } catch (CharacterCodingException _) {
            throw new OddArgumentException(place.pointer(), "has escapes that are no text");
        }
    }
}
