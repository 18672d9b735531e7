package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.gitconfig.ConfigText;
import dev.cagewright.sandbox.gitconfig.Setting;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A git configuration file, read without git, as in "CONFIGURATION FILE" of git-config(1). A line that git would
/// refuse is left out here.
record GitConfig(List<Setting> entries) {
    /// Keys whose value git hands to a shell or starts, by `section.key`.
    private static final Set<String> PROGRAMS = Set.of(
            "core.fsmonitor",
            "core.sshcommand",
            "core.editor",
            "core.pager",
            "core.askpass",
            "core.gitproxy",
            "core.alternaterefscommand",
            "diff.external",
            "diff.command",
            "diff.textconv",
            "merge.driver",
            "filter.clean",
            "filter.smudge",
            "filter.process",
            "gpg.program",
            "gpg.defaultkeycommand",
            "credential.helper",
            "sequence.editor",
            "uploadpack.packobjectshook",
            "remote.uploadpack",
            "remote.receivepack",
            "interactive.difffilter",
            "browser.cmd",
            "man.cmd",
            "difftool.cmd",
            "mergetool.cmd",
            "trailer.command",
            "trailer.cmd",
            "sendemail.smtpserver",
            "web.browser",
            "instaweb.httpd");

    /// @param text one char each byte
    static GitConfig parse(String text) {
        return new GitConfig(ConfigText.parse(text).settings());
    }

    /// The last value of `section.key`, which is the one that counts.
    Optional<String> last(String section, String key) {
        return entries.stream()
                .filter(entry -> entry.section().equals(section)
                        && entry.subsection().isEmpty()
                        && entry.key().equals(key))
                .map(Setting::value)
                .reduce((_, later) -> later);
    }

    /// The files that `include` and `includeIf` name, whatever the condition.
    List<String> includes() {
        return entries.stream()
                .filter(entry -> entry.key().equals("path")
                        && Set.of("include", "includeif").contains(entry.section()))
                .map(Setting::value)
                .toList();
    }

    /// The entries that make git start something.
    List<Setting> programs() {
        return entries.stream().filter(GitConfig::startsSomething).toList();
    }

    private static boolean startsSomething(Setting entry) {
        if (entry.section().equals("alias")) {
            return entry.value().startsWith("!");
        }
        if (entry.section().equals("pager")) {
            return !Set.of("true", "false").contains(entry.value());
        }
        if (entry.name().equals("core.fsmonitor")) {
            return !Set.of("true", "false", "").contains(entry.value());
        }
        boolean program = PROGRAMS.contains(entry.section() + "." + entry.key())
                || entry.key().equals("program");
        return program || entry.name().equals("core.hookspath");
    }
}
