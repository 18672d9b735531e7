package dev.cagewright.secrets.place;

import dev.cagewright.secrets.redact.Patterns;
import dev.cagewright.secrets.redact.Spelling;
import dev.cagewright.secrets.redact.Spellings;
import dev.cagewright.secrets.value.HeldSecret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/// The decoys of a session's secrets in all their spellings. Immutable and safe for all threads; decoys are not secret.
public final class Decoys {
    private final Patterns patterns;
    private final List<Marker> markers;
    private final List<String> inNames;
    private final int shortestInName;

    /// Whose decoy a pattern is, and in which spelling.
    private record Marker(int secret, Spelling spelling) {}

    /// Hears of what stands in a text.
    @FunctionalInterface
    public interface Seen {
        void at(Sighting sighting);
    }

    private Decoys(Patterns patterns, List<Marker> markers, List<String> inNames) {
        this.patterns = patterns;
        this.markers = List.copyOf(markers);
        this.inNames = List.copyOf(inNames);
        this.shortestInName = inNames.stream().mapToInt(String::length).min().orElse(0);
    }

    /// The decoys of these secrets, numbered as in the list.
    public static Decoys of(List<HeldSecret> secrets) {
        var all = new TreeMap<byte[], Marker>(Arrays::compareUnsigned);
        var inNames = new ArrayList<String>();
        for (int i = 0; i < secrets.size(); i++) {
            int number = i;
            var decoy = secrets.get(i).decoy();
            Spellings.of(decoy, (spelling, bytes) -> all.putIfAbsent(bytes, new Marker(number, spelling)));
            inNames.add(letters(secrets.get(i).decoyText()));
        }
        return new Decoys(Patterns.of(List.copyOf(all.keySet())), List.copyOf(all.values()), inNames);
    }

    /// Tells what stands in a piece of a text; see [Patterns#search].
    ///
    /// @return from where on nothing is decided yet
    public int search(byte[] text, int from, int to, Patterns.Rest rest, Seen seen) {
        return patterns.search(text, from, to, rest, (pattern, start, end) -> {
            var marker = markers.get(pattern);
            seen.at(new Sighting(marker.secret(), marker.spelling(), start, end));
        });
    }

    /// All that stand in a text, from left to right.
    public List<Sighting> in(byte[] text) {
        if (text.length < Patterns.LEAST) {
            return List.of();
        }
        var found = new ArrayList<Sighting>(0);
        search(text, 0, text.length, Patterns.Rest.ENDS, found::add);
        return found;
    }

    /// The number of the secret whose decoy a host name carries: names have small letters only, and dots anywhere.
    public Optional<Integer> inName(String name) {
        var spelled = letters(name);
        if (spelled.length() < shortestInName) {
            return Optional.empty();
        }
        for (int i = 0; i < inNames.size(); i++) {
            if (spelled.contains(inNames.get(i))) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private static String letters(String text) {
        var kept = new StringBuilder();
        for (byte each : text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1)) {
            if ((each >= 'a' && each <= 'z') || (each >= '0' && each <= '9')) {
                kept.append((char) each);
            }
        }
        return kept.toString();
    }
}
