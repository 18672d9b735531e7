package dev.cagewright.sandbox.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What files of the host say about it. Everything is read below `root`, so that another host can be played.
record HostFacts(Path root) {
    private static final int READ_LIMIT = 1 << 16;
    private static final Pattern ENGINE = Pattern.compile("docker|containerd|kubepods|libpod|lxc|garden|buildkit");

    /// Where the files of `/` are.
    static HostFacts ofThisHost() {
        return new HostFacts(Path.of("/"));
    }

    /// The stripped content of a small file.
    Optional<String> text(String path) {
        try (var in = Files.newInputStream(root.resolve(path))) {
            return Optional.of(new String(in.readNBytes(READ_LIMIT), StandardCharsets.ISO_8859_1).strip());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// A setting of `/proc/sys`, as `sysctl` names it.
    OptionalLong setting(String name) {
        return text("proc/sys/" + name.replace('.', '/'))
                .filter(value -> value.matches("-?[0-9]{1,18}"))
                .map(value -> OptionalLong.of(Long.parseLong(value)))
                .orElseGet(OptionalLong::empty);
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    boolean isWritable(String path) {
        return Files.isWritable(root.resolve(path));
    }

    /// Where a program is, on the usual search path of an administrator.
    Optional<Path> program(String name) {
        return Stream.of("usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin")
                .map(folder -> root.resolve(folder).resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Which container this process seems to run in.
    Optional<String> container() {
        if (exists(".dockerenv")) {
            return Optional.of("docker");
        }
        if (exists("run/.containerenv")) {
            return Optional.of("podman");
        }
        var groups = text("proc/1/cgroup").orElse("");
        var found = ENGINE.matcher(groups);
        if (found.find()) {
            return Optional.of(found.group());
        }
        return text("run/systemd/container").filter(name -> !name.isEmpty());
    }

    /// Can packages be installed with apt?
    boolean isDebianLike() {
        return exists("etc/debian_version");
    }
}
