package dev.cagewright.secrets.place;

import dev.cagewright.secrets.value.HeldSecret;
import java.util.Arrays;
import java.util.List;

/// Puts values in the places of decoys.
public final class Replacing {
    private Replacing() {}

    /// The text with the value of each sighting's secret in its place.
    ///
    /// @param sightings from left to right, none over another
    /// @param secrets by the numbers of the sightings
    /// @return owned by the caller, who wipes it
    public static byte[] in(byte[] text, List<Sighting> sightings, List<HeldSecret> secrets, Writing writing) {
        var values = new byte[sightings.size()][];
        int length = text.length;
        for (int i = 0; i < values.length; i++) {
            var sighting = sightings.get(i);
            values[i] = secrets.get(sighting.secret()).value().lend(writing::write);
            length += values[i].length - (sighting.to() - sighting.from());
        }
        var out = new byte[length];
        int from = 0;
        int at = 0;
        for (int i = 0; i < values.length; i++) {
            int kept = sightings.get(i).from() - from;
            System.arraycopy(text, from, out, at, kept);
            System.arraycopy(values[i], 0, out, at + kept, values[i].length);
            at += kept + values[i].length;
            from = sightings.get(i).to();
            Arrays.fill(values[i], (byte) 0);
        }
        System.arraycopy(text, from, out, at, text.length - from);
        return out;
    }
}
