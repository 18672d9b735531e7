package dev.cagewright.supervisor.resident.unit;

import dev.cagewright.sandbox.host.HostProgram;
import dev.cagewright.sandbox.host.HostProgram.Complaints;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// The unit `cagewright.service` of the person's systemd; systemd.service(5), systemctl(1).
///
/// @param folders the person's: the unit stands beside their configuration
public record SystemdUnit(StateFolders folders) {
    private static final String NAME = "cagewright.service";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST = 64 << 10;

    /// Why there can be none here; empty if there can.
    public static Optional<String> obstacle() {
        try (var answer = systemctl("show-environment")) {
            return answer.isGood()
                    ? Optional.empty()
                    : Optional.of("no systemd of yours answers here: systemctl --user show-environment ended with "
                            + answer.status());
        } catch (IOException e) {
            return Optional.of("systemd is not here: " + e.getMessage());
        }
    }

    private static HostProgram.Answer systemctl(String... words) throws IOException {
        var all = new ArrayList<>(List.of("systemctl", "--user"));
        all.addAll(List.of(words));
        return new HostProgram(all, PATIENCE, MOST, Complaints.DROPPED).ask(new byte[0]);
    }

    /// Its file, which may be absent.
    public Path file() {
        return config().resolve("systemd").resolve("user").resolve(NAME);
    }

    private Path config() {
        return Objects.requireNonNull(folders.config().getParent(), "a folder of configuration");
    }

    private Path state() {
        return Objects.requireNonNull(folders.state().getParent(), "a folder of state");
    }

    public boolean isInstalled() {
        return Files.isRegularFile(file(), LinkOption.NOFOLLOW_LINKS);
    }

    /// Its text.
    ///
    /// @param command what starts the supervisor
    /// @throws IllegalArgumentException if a word cannot stand in a unit
    public String text(List<String> command) {
        var words = new ArrayList<>(command);
        words.addAll(List.of("--idle", "never"));
        return """
                [Unit]
                Description=Cagewright: named cages

                [Service]
                Type=exec
                ExecStart=%s
                Environment=%s %s
                KillMode=mixed
                TimeoutStopSec=60
                Restart=on-failure

                [Install]
                WantedBy=default.target
                """.formatted(
                        words.stream().map(SystemdUnit::quoted).collect(Collectors.joining(" ")),
                        quoted("XDG_CONFIG_HOME=" + config()),
                        quoted("XDG_STATE_HOME=" + state()));
    }

    /// `%` begins a specifier, `$` a variable; systemd.syntax(7) has the escapes.
    private static String quoted(String word) {
        if (word.chars().anyMatch(one -> one < ' ')) {
            throw new IllegalArgumentException("a path with a control character cannot stand in a unit of systemd"
                    + " (expected: another place of the product or of its folders)");
        }
        var escaped = word.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("%", "%%")
                .replace("$", "$$");
        return '"' + escaped + '"';
    }

    /// Writes it, and has systemd know it from now on.
    ///
    /// @param command what starts the supervisor
    /// @throws IOException if it cannot be written, or systemd does not take it
    public void install(List<String> command) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file().getParent(), "a folder of units"));
        Files.write(file(), text(command).getBytes(StandardCharsets.UTF_8));
        require("daemon-reload");
        require("enable", NAME);
    }

    /// Has systemd start it, unless it runs.
    ///
    /// @throws IOException if it does not
    public void start() throws IOException {
        require("start", NAME);
    }

    /// Has systemd end it and forget it, and removes its file.
    ///
    /// @throws IOException if that cannot be done
    public void uninstall() throws IOException {
        require("disable", "--now", NAME);
        Files.deleteIfExists(file());
        require("daemon-reload");
    }

    private static void require(String... words) throws IOException {
        try (var answer = systemctl(words)) {
            if (!answer.isGood()) {
                throw new IOException("systemctl --user " + String.join(" ", words) + " ended with " + answer.status()
                        + " (expected: 0; journalctl --user says more)");
            }
        }
    }
}
