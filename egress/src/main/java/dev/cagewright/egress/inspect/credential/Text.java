package dev.cagewright.egress.inspect.credential;

import java.util.List;

/// Bytes as they are, and, as deep as may be, what is encoded in them.
final class Text implements Reading {
    private final Scanner scanner;
    private final List<Reading> decoders;

    /// @param depth how many encodings around each other are undone
    Text(FormatSet formats, Told told, int depth) {
        this.scanner = new Scanner(formats, told.at(depth));
        this.decoders = depth == 0
                ? List.of()
                : List.of(
                        RunReading.base64(() -> new Text(formats, told, depth - 1)),
                        RunReading.hex(() -> new Text(formats, told, depth - 1)),
                        new EscapeReading(() -> new Text(formats, told, depth - 1)));
    }

    /// Who hears what is found at a depth.
    @FunctionalInterface
    interface Told {
        /// The one who hears it.
        ///
        /// @param left how many encodings may still be undone there
        Sightings at(int left);
    }

    @Override
    public void accept(int value, long at) {
        scanner.accept(value, at);
        for (int i = 0; i < decoders.size(); i++) {
            decoders.get(i).accept(value, at);
        }
    }

    @Override
    public void pause() {
        decoders.forEach(Reading::pause);
    }

    @Override
    public void end() {
        scanner.end();
        decoders.forEach(Reading::end);
    }

    @Override
    public long heldFrom() {
        long least = scanner.heldFrom();
        for (var decoder : decoders) {
            least = Math.min(least, decoder.heldFrom());
        }
        return least;
    }

    @Override
    public long steps() {
        return scanner.steps() + decoders.stream().mapToLong(Reading::steps).sum();
    }
}
