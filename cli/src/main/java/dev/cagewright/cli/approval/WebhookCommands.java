package dev.cagewright.cli.approval;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.notice.Webhook;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `cagewright webhook ...`: the address of the person's that hears of what waits for them.
@Command(
        name = "webhook",
        description = "An address of yours that hears, signed, of each action that waits for approval.",
        mixinStandardHelpOptions = true)
public final class WebhookCommands {
    private final Console console;
    private final StateFolders folders;

    public WebhookCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Command(
            name = "set",
            description = {
                "Makes ADDRESS the one, with a new key that is printed this once: whoever receives verifies with it.",
                "https, or http to this machine. Nothing of what a cage wants to send or to run is in the messages."
            },
            mixinStandardHelpOptions = true)
    int set(@Parameters(paramLabel = "ADDRESS", description = "https://HOST/PATH") String address) throws IOException {
        var webhook = Webhook.to(address);
        webhook.store(folders);
        console.out().println(webhook.key().text());
        console.say("questions go to " + Visible.text(webhook.place())
                + " from now on; try it with cagewright webhook test");
        return ExitCode.OK.code();
    }

    @Command(name = "show", description = "Shows where questions go.", mixinStandardHelpOptions = true)
    int show() throws IOException {
        var webhook = Webhook.load(folders);
        console.out().println(webhook.map(some -> Visible.text(some.place())).orElse("none"));
        return ExitCode.OK.code();
    }

    @Command(name = "test", description = "Sends a message that asks for nothing.", mixinStandardHelpOptions = true)
    int test() throws IOException, InterruptedException {
        var webhook = Webhook.load(folders)
                .orElseThrow(
                        () -> new IllegalArgumentException("webhook: none (expected: cagewright webhook set ADDRESS)"));
        var now = Instant.now();
        try {
            webhook.send(
                    "test-" + now.toEpochMilli(),
                    Json.object()
                            .put("type", "test")
                            .put("timestamp", now.toString())
                            .build());
        } catch (IOException e) {
            console.say(Visible.text("it did not arrive: " + e.getMessage()));
            return ExitCode.CHECK_FAILED.code();
        }
        console.say("it arrived at " + Visible.text(webhook.place()));
        return ExitCode.OK.code();
    }

    @Command(name = "rm", description = "Forgets the address and its key.", mixinStandardHelpOptions = true)
    int remove() throws IOException {
        console.say(Webhook.remove(folders) ? "questions go nowhere any more" : "there was none");
        return ExitCode.OK.code();
    }
}
