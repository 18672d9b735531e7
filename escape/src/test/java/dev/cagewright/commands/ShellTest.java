package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What shells learn of the packaged product, in a real bash; `cagewright` is on the path.
class ShellTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Desk desk;

    @BeforeEach
    void install() throws IOException {
        var plain = Desk.in(folder.toRealPath());
        var bin = Files.createDirectories(plain.root().resolve("bin"));
        Files.createSymbolicLink(bin.resolve("cagewright"), Desk.PRODUCT);
        var agent = Files.writeString(bin.resolve("claude"), "#!/bin/sh\nfor word; do echo \"<$word>\"; done\n");
        Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwxr-xr-x"));
        desk = plain.with("PATH", bin + ":/usr/bin:/bin");
    }

    @Test
    void an_agents_own_name_starts_it_in_a_cage_and_command_goes_around_it() throws IOException, InterruptedException {
        var result = desk.shell("""
                shopt -s expand_aliases
                alias claude='no-such-program --old'
                eval "$(cagewright shell-init bash claude-code)"
                eval "$(cagewright shell-init bash claude-code)"
                claude -p 'two  words' '$HOME' '*'
                command claude plain
                """);

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.out())
                .isEqualTo("<--dangerously-skip-permissions>\n<-p>\n<two  words>\n<$HOME>\n<*>\n<plain>\n");
        assertThat(result.err()).contains("exec:any").doesNotContain("no-such-program");
    }

    @Test
    void without_names_those_agents_are_taken_that_are_installed_and_no_shell()
            throws IOException, InterruptedException {
        var result = desk.product("shell-init", "zsh");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("""
                        # Agents in a cage, by cagewright shell-init; command NAME goes around it.
                        unalias claude 2>/dev/null || :
                        function claude { command cagewright run claude-code "$@"; }
                        """);
        assertThat(desk.product("shell-init", "fish", "codex").out())
                .contains(
                        "function codex --description 'codex in a cage'\n    command cagewright run codex $argv\nend\n");
    }

    @Test
    void a_shell_or_an_agent_that_is_not_known_is_refused() throws IOException, InterruptedException {
        assertThat(desk.product("shell-init", "tcsh").err()).contains("shell: \"tcsh\" (expected: bash, zsh or fish)");
        var none = desk.product("shell-init", "bash", "no-such");
        assertThat(none.exit()).isNotZero();
        assertThat(none.out()).doesNotContain("function");
        assertThat(none.err()).contains("no-such");
    }

    @Test
    void bash_completes_commands_options_and_names() throws IOException, InterruptedException {
        assertThat(desk.act("exit", "0").exit()).isZero();
        Files.createDirectories(desk.root().resolve("config/cagewright/policies"));
        desk.write("config/cagewright/policies/mine.yaml", "tool: mine\n");
        var result = desk.shell("""
                compopt() { :; }
                . <(cagewright completion)
                try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _complete_cagewright_names; echo "${COMPREPLY[*]}"; }
                try cagewright summ
                try cagewright run --stat
                try cagewright run claude
                try cagewright summary ''
                try cagewright run --policy mi
                """);

        assertThat(result.out().lines().toList())
                .as(result.toString())
                .satisfiesExactly(
                        line -> assertThat(line).contains("summary"),
                        line -> assertThat(line).contains("--status"),
                        line -> assertThat(line).isEqualTo("claude-code"),
                        line -> assertThat(line).contains("last").matches("[a-z2-7]{4,10} [a-z2-7]{4,10}"),
                        line -> assertThat(line).isEqualTo("mine"));
    }

    @Test
    void fish_gets_a_line_for_each_command_and_option() throws IOException, InterruptedException {
        var lines = desk.product("completion", "fish").out();

        assertThat(lines)
                .contains("-n __fish_use_subcommand -a summary -d 'Shows what a run came to")
                .contains("-n '__fish_seen_subcommand_from run' -l status -r -d ")
                .contains("-a '(command cagewright completion --names cages 2>/dev/null)'")
                .doesNotContain("--names policies'");
    }
}
