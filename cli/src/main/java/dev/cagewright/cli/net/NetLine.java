package dev.cagewright.cli.net;

import dev.cagewright.cli.terminal.Console.Palette;
import dev.cagewright.policy.action.ByteString;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A [Crossing] on one line for people. What the cage chose is escaped.
final class NetLine {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private NetLine() {}

    static String of(Crossing crossing, Palette palette) {
        var words = new ArrayList<String>();
        words.add(CLOCK.format(crossing.time()));
        words.add(crossing.isRefused() ? palette.bad("refused") : palette.good("allowed"));
        words.add(what(crossing));
        crossing.status().ifPresent(status -> words.add(Long.toString(status)));
        if (crossing.kind().equals("dns.lookup")) {
            crossing.address().ifPresent(address -> words.add(plain(address)));
        } else {
            sizes(crossing, words);
        }
        if (!crossing.state().isEmpty() && !crossing.state().equals("complete")) {
            words.add(plain(crossing.state()));
        }
        crossing.why().ifPresent(why -> words.add(plain(why)));
        if (crossing.isRefused() && !crossing.rules().isEmpty()) {
            words.add("(" + plain(crossing.rules().getFirst()) + ")");
        }
        if (!crossing.id().isEmpty()) {
            words.add(crossing.id());
        }
        return String.join("  ", words);
    }

    private static String what(Crossing crossing) {
        var port = crossing.port().isPresent() ? ":" + crossing.port().getAsLong() : "";
        var target = plain(crossing.host()) + port;
        return switch (crossing.kind()) {
            case "http.request" ->
                plain(crossing.method().orElse("?")) + " " + target
                        + plain(crossing.path().orElse(""));
            case "net.connect" -> "connect " + target;
            case "dns.lookup" -> "look-up " + target;
            default -> "connection " + target;
        };
    }

    private static void sizes(Crossing crossing, List<String> words) {
        crossing.sentBytes().ifPresent(sent -> words.add(Amount.of(sent) + " sent"));
        crossing.receivedBytes().ifPresent(received -> words.add(Amount.of(received) + " received"));
        crossing.wallMillis().ifPresent(time -> words.add(time + " ms"));
    }

    private static String plain(String text) {
        return ByteString.of(text).printable();
    }
}
