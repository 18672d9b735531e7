package dev.cagewright.policy.token;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// What is signed: lines of ASCII in one order, each a field, a blank and its value. One token has one spelling, and
/// what is spelt otherwise is none.
///
/// ```
/// cagewright-token 1
/// key 0011223344556677
/// links 2
/// link 1
/// rev root-1
/// issuer alice              the root's alone
/// issued 1790000000
/// expires 1790007200
/// actions http.request      then hosts, methods, paths, mounts, secrets, tools, each where it grants something
/// requests 500/day          then sent, received, each where it is bounded
/// link 2
/// ...
/// ```
final class Payload {
    static final String FIRST = "cagewright-token 1";

    private Payload() {}

    static byte[] write(Token token) {
        var out = new StringBuilder(FIRST).append('\n');
        line(out, "key", token.keyId());
        line(out, "links", "" + token.links().size());
        for (int i = 0; i < token.links().size(); i++) {
            line(out, "link", "" + (i + 1));
            write(out, token.links().get(i));
        }
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(StringBuilder out, Link link) {
        line(out, "rev", link.rev().value());
        link.issuer().ifPresent(issuer -> line(out, "issuer", issuer));
        line(out, "issued", "" + link.issued());
        line(out, "expires", "" + link.expires());
        for (Axis axis : Axis.values()) {
            link.rights().spelt(axis).ifPresent(text -> line(out, axis.word(), text));
        }
        for (Budget.Measure measure : Budget.Measure.values()) {
            link.rights().budget().rate(measure).ifPresent(rate -> line(out, measure.word(), measure.text(rate)));
        }
    }

    private static void line(StringBuilder out, String field, String value) {
        out.append(field).append(' ').append(value).append('\n');
    }

    /// Reads what [#write] writes and nothing else: what is read is spelt again and compared.
    ///
    /// @param signed at most [TokenText#LONGEST] bytes
    /// @throws IllegalArgumentException saying what is wrong
    static Token read(byte[] signed) {
        var lines = new Lines(signed);
        lines.only(FIRST);
        var key = lines.value("key");
        var links = new ArrayList<Link>();
        long count = number("links", lines.value("links"));
        if (count < 1 || count > Token.MOST_LINKS) {
            throw new IllegalArgumentException("links: " + count + " (expected: 1 to " + Token.MOST_LINKS + ")");
        }
        for (int i = 1; i <= count; i++) {
            lines.only("link " + i);
            links.add(link(lines, i == 1 ? Place.ROOT : Place.CHILD));
        }
        lines.end();
        var token = new Token(key, links);
        if (!Arrays.equals(write(token), signed)) {
            throw new IllegalArgumentException("payload: spelt otherwise than tokens are");
        }
        return token;
    }

    /// Where a link stands, which says what it may have.
    private enum Place {
        ROOT,
        CHILD
    }

    private static Link link(Lines lines, Place place) {
        var rev = new RevId(lines.value("rev"));
        var issuer = place == Place.ROOT ? lines.ifNext("issuer") : Optional.<String>empty();
        long issued = number("issued", lines.value("issued"));
        long expires = number("expires", lines.value("expires"));
        var rights = Rights.NONE;
        for (Axis axis : Axis.values()) {
            var text = lines.ifNext(axis.word());
            rights = text.isEmpty()
                    ? rights
                    : rights.with(axis, List.of(text.get().split(" ", -1)));
        }
        return new Link(rev, issuer, issued, expires, rights.withBudget(budget(lines)));
    }

    private static Budget budget(Lines lines) {
        return new Budget(
                lines.ifNext("requests").map(text -> Budget.parseRequests("requests", text)),
                lines.ifNext("sent").map(text -> Budget.parseBytes("sent", text)),
                lines.ifNext("received").map(text -> Budget.parseBytes("received", text)));
    }

    /// Digits alone: no sign, no fraction, no leading zero, and no more than fit.
    private static long number(String field, String text) {
        if (!text.matches("0|[1-9][0-9]{0,14}")) {
            throw new IllegalArgumentException(field + ": " + text.length()
                    + " characters that are no whole number (expected: at most 15 digits)");
        }
        return Long.parseLong(text);
    }

    /// The lines that are left.
    private static final class Lines {
        private final Deque<String> left = new ArrayDeque<>();

        Lines(byte[] signed) {
            var text = new String(signed, StandardCharsets.ISO_8859_1);
            left.addAll(Arrays.asList(text.split("\n", -1)));
        }

        void only(String line) {
            if (!line.equals(left.poll())) {
                throw new IllegalArgumentException("payload: a line is not '" + line + "'");
            }
        }

        String value(String field) {
            return ifNext(field).orElseThrow(() -> new IllegalArgumentException("payload: no " + field));
        }

        Optional<String> ifNext(String field) {
            var next = left.peek();
            if (next == null || !next.startsWith(field + " ")) {
                return Optional.empty();
            }
            left.remove();
            return Optional.of(next.substring(field.length() + 1));
        }

        /// Nothing may follow the last line end.
        void end() {
            if (left.size() != 1 || !left.element().isEmpty()) {
                throw new IllegalArgumentException("payload: a field that does not belong where it stands");
            }
        }
    }
}
