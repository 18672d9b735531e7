package dev.cagewright.cli.token;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.right.Axis;
import java.time.Instant;
import java.util.Locale;

/// A token's chain and rights as text. Nothing of it can be used as a token.
record TokenShown(Console console) {
    void show(Token token) {
        console.out()
                .println("token " + token.head().rev() + "  key " + token.keyId() + "  expires "
                        + Instant.ofEpochSecond(token.expires()));
        for (int i = 0; i < token.links().size(); i++) {
            show(i + 1, token.links().get(i));
        }
    }

    private void show(int number, Link link) {
        var out = console.out();
        out.println("link " + number + "  " + link.rev()
                + link.issuer().map(issuer -> "  by " + issuer).orElse(""));
        line("issued", Instant.ofEpochSecond(link.issued()).toString());
        line("expires", Instant.ofEpochSecond(link.expires()).toString());
        for (Axis axis : Axis.values()) {
            line(axis.word(), link.rights().spelt(axis).map(Visible::text).orElse("nothing"));
        }
        line(
                "budget",
                link.rights().budget().isUnlimited()
                        ? "no bound of its own"
                        : link.rights().budget().toString());
    }

    private void line(String name, String value) {
        console.out().println(String.format(Locale.ROOT, "  %-8s  ", name) + value);
    }
}
