package dev.cagewright.supervisor.notice;

import dev.cagewright.sandbox.host.HostProgram;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A notice on the person's desktop by notify-send(1), which names the command that answers. Where there is no desktop
/// there is none, and that is no error. Safe for all threads.
public final class DesktopNotice implements Asker {
    private static final String PROGRAM = "notify-send";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_SAID = 4_096;

    private final Map<String, String> environment;

    /// @param environment the variables of this process
    public DesktopNotice(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /// What is missing here; empty when notices can be given.
    public Optional<String> gap() {
        if (variable("WAYLAND_DISPLAY").isEmpty() && variable("DISPLAY").isEmpty()) {
            return Optional.of("there is no desktop (WAYLAND_DISPLAY, DISPLAY)");
        }
        if (variable("DBUS_SESSION_BUS_ADDRESS").isEmpty()) {
            return Optional.of("there is no session bus (DBUS_SESSION_BUS_ADDRESS)");
        }
        return isInstalled() ? Optional.empty() : Optional.of(PROGRAM + " is not on your PATH");
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    private boolean isInstalled() {
        return variable("PATH").stream()
                .flatMap(path -> List.of(path.split(":", -1)).stream())
                .filter(folder -> folder.startsWith("/"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
    }

    @Override
    public boolean reaches() {
        return gap().isEmpty();
    }

    /// Whoever asks does not wait for the desktop.
    @Override
    public Asked ask(Question question, Answers answers) {
        if (reaches()) {
            Thread.ofVirtual().start(() -> give(question, answers));
        }
        return () -> {};
    }

    private static void give(Question question, Answers answers) {
        var argv = List.of(
                PROGRAM,
                "--app-name=Cagewright",
                "--urgency=critical",
                "--",
                "Cagewright: " + plain(question.cage()) + " waits for approval",
                plain(Summary.of(question)) + "\ncagewright approvals   " + question.id());
        try (var answer = new HostProgram(argv, PATIENCE, MOST_SAID, HostProgram.Complaints.DROPPED).ask(new byte[0])) {
            if (answer.isGood()) {
                answers.told("desktop");
            } else {
                answers.untold("desktop", PROGRAM + " ended with " + answer.status());
            }
        } catch (IOException e) {
            answers.untold("desktop", String.valueOf(e.getMessage()));
        }
    }

    /// Desktops read markup in what they show.
    static String plain(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
