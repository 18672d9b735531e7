package dev.cagewright.egress.inspect.credential;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// Made-up credentials: right in form, of no use to anybody.
final class Samples {
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private Samples() {}

    /// One for each prefix of each format.
    static Stream<Sample> all() {
        return PublishedFormats.ALL.stream()
                .flatMap(format -> format.prefixes().stream().map(prefix -> new Sample(format, prefix, body(format))));
    }

    /// @param body what stands behind the prefix
    record Sample(Format format, String prefix, String body) {
        String text() {
            return prefix + body;
        }

        @Override
        public String toString() {
            return format.kind() + " " + prefix;
        }
    }

    private static String body(Format format) {
        var body = format.parts().stream().map(Samples::part).collect(Collectors.joining());
        return format.check() == Format.Check.CRC_BASE62 ? checked(body) : body;
    }

    private static String part(Part part) {
        var members = members(part);
        return IntStream.range(0, part.least())
                .mapToObj(i -> Character.toString(members.get((i * 7 + 3) % members.size())))
                .collect(Collectors.joining());
    }

    /// Of a gap, which knows the backslash of escapes, the line end or the slash that it is about.
    static List<Integer> members(Part part) {
        if (part.bytes().has('\\')) {
            return List.of(part.bytes().has('\n') ? (int) '\n' : (int) '/');
        }
        return IntStream.range(33, 127).filter(part.bytes()::has).boxed().toList();
    }

    private static String checked(String body) {
        var random = body.substring(0, 30);
        var crc = new CRC32();
        crc.update(random.getBytes(StandardCharsets.US_ASCII));
        var sum = new StringBuilder();
        long rest = crc.getValue();
        for (int i = 0; i < 6; i++) {
            sum.insert(0, BASE62.charAt((int) (rest % 62)));
            rest /= 62;
        }
        return random + sum;
    }
}
