package dev.cagewright.policy.argv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Argument lists are written here with `|` between elements.
class ToolArgumentsTest {

    private static ArgvReading read(String argv) {
        return ArgvReader.read(
                Arrays.stream(argv.split("\\|", -1)).map(ByteString::of).toList());
    }

    private static String code(String argv) {
        return read(argv).code().map(ArgvReading.CodeInArgv::toString).orElse("");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git|grep|-O/usr/bin/id|x",
                "git|grep|-O|x",
                "git|grep|-nO|x",
                "git|grep|--open-files-in-pager=id|x",
                "git|grep|--open=id|x",
                "git|diff|--ext-diff",
                "git|diff|--ext|x",
                "git|log|--output=/workspace/.git/hooks/x",
                "git|log|--outp=/x",
                "git|show|--output|x",
                "git|bisect|run|sh|-c|id",
                "git|rebase|-x|id",
                "git|rebase|-ix|id",
                "git|rebase|--exec=id",
                "git|rebase|--ex|id",
                "git|difftool|-x|id",
                "git|clone|-u|id|x",
                "git|clone|--upload-pack=id|x",
                "git|clone|-c|core.sshCommand=id|x",
                "git|clone|--config=core.pager=x|y",
                "git|clone|--template=/w|x",
                "git|fetch|--upload-pack|id",
                "git|push|--receive-pack=id",
                "git|push|--exec=id",
                "git|ls-remote|ext::sh -c id",
                "git|clone|ext::id",
                "git|submodule|foreach|id",
                "git|submodule|--quiet|foreach|id",
                "git|filter-branch|--tree-filter|id",
                "git|-c|alias.x=!id|x",
                "git|-c|core.fsmonitor=id|status",
                "git|-c|core.hooksPath=/w|commit",
                "git|-c|diff.external=id|diff",
                "git|--config-env=core.pager=X|log",
                "git|--exec-path=/w|status",
                "git|-C|d|-c|core.editor=id|commit",
                "git|--unknown|status",
                "git|archive|--remote=.|--exec=id"
            })
    void B164_a_subcommand_that_looks_harmless_takes_no_program(String argv) {
        assertThat(code(argv)).startsWith("argv[").containsAnyOf("git ", "sh takes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git|status",
                "git|grep|-n|-e|-O|f",
                "git|grep|-eO|f",
                "git|log|--oneline|-5",
                "git|diff|--stat|HEAD~1",
                "git|commit|-m|--exec",
                "git|bisect|run|make",
                "git|rebase|--autosquash|main",
                "git|rebase|--no-autostash|main",
                "git|clone|https://x.test/r.git|d",
                "git|push|origin|main",
                "git|-c|user.name=A B|commit|-m|x",
                "git|-C|dir|status",
                "git|--git-dir=.git|log",
                "git|diff|--|--ext-diff",
                "git|archive|-o|x.tar|HEAD",
                "git|submodule|update|--init",
                "git|log|--format=%H"
            })
    void B164_ordinary_git_is_let_through(String argv) {
        assertThat(code(argv)).isEmpty();
    }

    @Test
    void B164_what_bisect_runs_is_named_for_the_allowlist() {
        assertThat(read("git|bisect|run|id").programs())
                .extracting(s -> s.name().base())
                .containsExactly("git", "id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sed|-n|w /workspace/.git/hooks/pre-commit|f",
                "sed|s/x/id/e|f",
                "sed|s/x/id/ge|f",
                "sed|--expression=1e id",
                "sed|--exp=1e id",
                "sed|-f|script|x",
                "sed|--file=x|f",
                "sed|1e",
                "sed|e id",
                "sed|p;e id",
                "sed|/a/{p;e id\n}",
                "sed|s/a/b/w /x",
                "sed|s/a/b/gw/x",
                "sed|W x",
                "sed|-ne|1,/x/w f",
                "sed|-e|p|-e|e id",
                "sed|-nse|w x|f",
                "sed|\\,a,e id",
                "sed|1~2e id",
                "sed|0,/x/Ie id",
                "sed|$!e id",
                "sed|s,a\\,b,x,e",
                "sed|y/a/b/;e id",
                "sed|:a;ta;e id",
                "sed|a hi\ne id",
                "sed|a hi\\\\\ne id",
                "sed|r f\ne id",
                "sed|#x\ne id",
                "sed|s/[/]/e id;/\ne id",
                "sed|--new-option|p",
                "gsed|e id",
                "sed|q5;e id",
                "sed|s/[[:alpha:]/]/x/e"
            })
    void B173_sed_scripts_that_run_or_write_are_found(String argv) {
        assertThat(code(argv)).contains("sed takes a script that ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sed|-n|1,5p|f",
                "sed|s/e/w/g|f",
                "sed|-i|s/a/b/|f",
                "sed|-i.bak|-e|s/x/y/|f",
                "sed|1!G;h;$!d|f",
                "sed|/we/d|f",
                "sed|s/[/]/x/|f",
                "sed|s,[,],x,|f",
                "sed|y/ew/we/|f",
                "sed|a e id|f",
                "sed|a\\\ne id|f",
                "sed|-e|a\\|-e|e id|f",
                "sed|-E|s/(a)+/w/2p|f",
                "sed|:e;s/a/b/;te;be|f",
                "sed|$a w x|f",
                "sed|s/a/b/w /dev/stdout|f",
                "sed|r e|f",
                "sed|--version",
                "sed|-n|/start/,/end/{//!p}|f",
                "sed|N;P;D|f",
                "sed|s,^.*/,,|f",
                "sed|1i\\  text|f",
                "sed|/x/I,+3p|f",
                "sed|s/a\\/e/x/|f",
                "sed|-s|-n|$=|f",
                "sed|c\\ e"
            })
    void B173_sed_that_edits_is_let_through(String argv) {
        assertThat(code(argv)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sort|--compress-program=id|f",
                "sort|--compress|id|f",
                "split|--filter=id|f",
                "tar|-I|id|-xf|x",
                "tar|Ixf|id|x",
                "tar|xf|x|--to-command=id",
                "tar|xf|x|--checkpoint-action=exec=id",
                "tar|-xf|x|--use-comp=id",
                "rsync|-e|id|a|b",
                "rsync|-ave|id|a|b",
                "ssh|-oProxyCommand=id|h",
                "scp|-S|id|a|b",
                "man|-P|id|x",
                "make|--eval=x",
                "make|SHELL=/w/x",
                "vim|-c|!id",
                "vim|+!id",
                "emacs|--eval|x",
                "gdb|-ex|shell id",
                "npx|-c|id",
                "npm|exec|--call=id",
                "cargo|--config|build.rustc-wrapper='id'|build"
            })
    void tools_with_an_option_that_runs_code(String argv) {
        assertThat(code(argv)).startsWith("argv[");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sort|-o|f|g",
                "tee|f",
                "dd|of=f",
                "tar|xzf|x.tgz",
                "tar|-C|d|-xf|x",
                "tar|--exclude=I|-cf|x|d",
                "make|-j4|all",
                "npm|run|build",
                "cargo|build",
                "make|CC=gcc",
                "vim|f",
                "vim|+12|f",
                "rsync|-av|a|b",
                "split|-b|1M|f"
            })
    void B173_writing_files_is_the_file_rules_matter(String argv) {
        assertThat(code(argv)).isEmpty();
    }
}
