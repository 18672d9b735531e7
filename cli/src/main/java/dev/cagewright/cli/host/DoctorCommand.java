package dev.cagewright.cli.host;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Wrapped;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.host.Finding;
import dev.cagewright.sandbox.host.HostProbe;
import dev.cagewright.supervisor.notice.DesktopNotice;
import dev.cagewright.supervisor.notice.Webhook;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Protection;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright doctor`: tries what a cage needs and says what is missing and what to do about it.
@Command(
        name = "doctor",
        description = {
            "Tries everything that a cage needs on this host, and says the remedy for each gap.",
            "Ends with 1 when the default cage cannot be built here."
        },
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
    /// Without these there is no default cage; the names are those of the probes.
    private static final Set<String> NEEDED = Set.of(
            "userns",
            "mntns",
            "pidns",
            "netns",
            "ipcns",
            "utsns",
            "proc",
            "tmpfs",
            "detached-mounts",
            "openat2",
            "landlock",
            "seccomp",
            "pidfd",
            "close-range",
            "memfd-exec");

    private static final int NAME_WIDTH = 22;

    private final Console console;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    private final StateFolders folders;

    public DoctorCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() {
        var findings = new ArrayList<>(HostProbe.run());
        findings.add(secrets());
        findings.add(desktop());
        webhook().ifPresent(findings::add);
        boolean able = findings.stream()
                .noneMatch(finding -> NEEDED.contains(finding.name()) && finding.status() == Finding.Status.MISSING);
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("cage", able)
                            .put(
                                    "findings",
                                    findings.stream().map(DoctorCommand::json).toList())
                            .build()
                            .write());
        } else {
            findings.forEach(this::show);
            console.out().println();
            console.out()
                    .println(
                            able
                                    ? console.palette().good("ok") + ": the default cage can be built here"
                                    : console.palette().bad("missing") + ": the default cage cannot be built here");
        }
        return able ? ExitCode.OK.code() : ExitCode.CHECK_FAILED.code();
    }

    /// How the key of the stored secrets is protected.
    private Finding secrets() {
        try {
            var protection = Vault.protection(folders);
            if (protection.isEmpty()) {
                return new Finding("secret-store", Finding.Status.OK, "no secrets are stored yet", "");
            }
            var detail = "the key of your secrets is " + protection.get().sentence();
            return protection.get() == Protection.FILE
                    ? new Finding(
                            "secret-store",
                            Finding.Status.DEGRADED,
                            detail,
                            "cagewright secret key --protect systemd-creds, keyring or passphrase")
                    : new Finding("secret-store", Finding.Status.OK, detail, "");
        } catch (IOException e) {
            return new Finding(
                    "secret-store",
                    Finding.Status.DEGRADED,
                    String.valueOf(e.getMessage()),
                    "mend the file; runs that need a secret are refused until then");
        }
    }

    /// Whether questions can be told on the desktop; a machine without one lacks nothing.
    private static Finding desktop() {
        return new Finding(
                "desktop-notices",
                Finding.Status.OK,
                new DesktopNotice(System.getenv())
                        .gap()
                        .map(gap -> "what waits for approval is not told on a desktop: " + gap)
                        .orElse("what waits for approval is told on your desktop"),
                "");
    }

    private Optional<Finding> webhook() {
        try {
            return Webhook.load(folders)
                    .map(hook -> new Finding(
                            "webhook", Finding.Status.OK, "what waits for approval is told to " + hook.place(), ""));
        } catch (IOException e) {
            return Optional.of(new Finding(
                    "webhook",
                    Finding.Status.DEGRADED,
                    String.valueOf(e.getMessage()),
                    "cagewright webhook set ADDRESS; until then nobody hears of questions by it"));
        }
    }

    private static JsonObject json(Finding finding) {
        return Json.object()
                .put("name", finding.name())
                .put("status", finding.status().name().toLowerCase(Locale.ROOT))
                .put("detail", finding.detail())
                .put("remedy", finding.remedy())
                .build();
    }

    private void show(Finding finding) {
        var word = switch (finding.status()) {
            case OK -> console.palette().good("ok      ");
            case DEGRADED -> console.palette().strong("degraded");
            case MISSING -> console.palette().bad("missing ");
        };
        var lines = Wrapped.text(ByteString.of(finding.detail()).printable(), Console.WIDTH - NAME_WIDTH - 10);
        console.out()
                .println(String.format(
                        Locale.ROOT, "%s  %-" + NAME_WIDTH + "s%s", word, finding.name(), lines.getFirst()));
        indented(lines.subList(1, lines.size()));
        if (!finding.remedy().isEmpty()) {
            indented(Wrapped.text("remedy: " + finding.remedy(), Console.WIDTH - NAME_WIDTH - 10));
        }
    }

    private void indented(List<String> lines) {
        lines.forEach(line -> console.out().println(" ".repeat(NAME_WIDTH + 10) + line));
    }
}
