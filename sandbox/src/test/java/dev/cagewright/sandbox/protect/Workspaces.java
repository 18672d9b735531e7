package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Mask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A workspace and a home directory in a temporary folder, and the real git.
record Workspaces(Path folder) {
    Path workspace() throws IOException {
        return Files.createDirectories(folder.resolve("w")).toRealPath();
    }

    Path home() throws IOException {
        return Files.createDirectories(folder.resolve("home/ada")).toRealPath();
    }

    Path write(String path, String content) throws IOException {
        var file = workspace().resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    void link(String path, String leadsTo) throws IOException {
        var link = workspace().resolve(path);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(leadsTo));
    }

    ProtectionPlan scan(String... hide) throws IOException {
        return ProtectionPlan.scan(new ProtectionRequest(workspace(), home(), Set.of(), List.of(hide)));
    }

    /// Runs git in the folder `where` of the workspace and returns what it prints on both streams.
    String git(String where, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b.test"));
        command.addAll(Arrays.asList(arguments));
        var builder = new ProcessBuilder(command)
                .directory(workspace().resolve(where).toFile())
                .redirectErrorStream(true);
        builder.environment().put("HOME", home().toString());
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException("git " + Arrays.toString(arguments) + ": " + status + " " + output);
        }
        return output;
    }

    static Map<String, Mask.Kind> masks(ProtectionPlan plan) {
        var masks = new TreeMap<String, Mask.Kind>();
        plan.masks().forEach(mask -> masks.put(mask.path().latin1(), mask.kind()));
        return masks;
    }

    static List<String> placeholders(ProtectionPlan plan) {
        return plan.placeholders().stream()
                .map(Placeholder::path)
                .map(ByteString::latin1)
                .sorted()
                .toList();
    }

    static List<String> lines(List<Notice> notices) {
        return notices.stream().map(Notice::line).toList();
    }

    /// Every name of the workspace with its kind, mode and content: equal before and after means no litter.
    Map<String, String> inventory() throws IOException {
        var found = new TreeMap<String, String>();
        try (var walk = Files.walk(workspace())) {
            for (Path path : walk.toList()) {
                var mode = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
                var content = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                        ? Arrays.toString(Files.readAllBytes(path))
                        : "";
                found.put(path.toUri().getRawPath(), mode + content);
            }
        }
        return found;
    }
}
