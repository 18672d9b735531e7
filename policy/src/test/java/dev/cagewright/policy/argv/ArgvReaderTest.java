package dev.cagewright.policy.argv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Argument lists are written here with `|` between elements.
class ArgvReaderTest {

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
                "sh|-c|id",
                "bash|-lc|id",
                "bash|-ic|id",
                "bash|+c|id",
                "/bin/bash|-c|id",
                "dash|-ec|id",
                "zsh|-fc|id",
                "bash|-oc|pipefail|id",
                "bash|-o|pipefail|-c|id",
                "bash|--norc|-c|id",
                "bash|--rcfile=f|-i",
                "bash|--rcfile|f",
                "bash|--init-file|f|-i",
                "bash|script.sh",
                "sh|-|script.sh",
                "sh|--|script.sh",
                "bash|-x|script.sh",
                "sh|-s",
                "fish|--command=id",
                "fish|-C|id",
                "fish|--c=id",
                "pwsh|-Command|id",
                "pwsh|-File|x.ps1",
                "bash-5.2|-c|id",
                "busybox|sh|-c|id",
                "busybox|ash|script"
            })
    void a_shell_takes_no_code(String argv) {
        assertThat(code(argv))
                .startsWith("argv[")
                .containsAnyOf("a command string", "a script file", "a start-up file", "standard input");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bash",
                "bash|-i",
                "bash|-l",
                "sh|-x",
                "zsh|--emulate|sh",
                "bash|--version",
                "bash|-o|noclobber|-i"
            })
    void an_interactive_shell_is_no_code(String argv) {
        assertThat(code(argv)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3|-c|print(1)",
                "python3|-Ic|print(1)",
                "python3|-I|-c|print(1)",
                "python3|-cprint(1)",
                "python3|-W|ignore|-c|print(1)",
                "python3|-Wignore|-c|print(1)",
                "python3|-X|dev|-c|print(1)",
                "python3|-",
                "python3|/dev/stdin",
                "python3|/dev/fd/3",
                "python3|/proc/self/fd/0",
                "python3|-mtimeit|1",
                "python3|-m|timeit",
                "python3.12|-c|print(1)",
                "python|-Ibc|x",
                "pypy3|-c|x",
                "python3.13t|-c|x",
                "/usr/bin/python3.11|-c|x",
                "python3|-x|f",
                "python3|--check-hash-based-pycs|always|-c|x",
                "python3|--|-",
                "perl|-we|print 1",
                "perl|-e|print 1",
                "perl|-E|say 1",
                "perl|-ne|print",
                "perl|-0777ne|print",
                "perl|-l012e|1",
                "perl|-x|f",
                "perl|-I|lib|-e|1",
                "perl|-w -eprint 1",
                "perl|-Mstrict;print(1)|s.pl",
                "perl|-",
                "perl5.36.0|-e|1",
                "perl|-i.bak|-pe|s/a/b/",
                "ruby|-ne|print",
                "ruby|-e|p 1",
                "ruby|-W0|-e|p 1",
                "ruby|-W0e|p 1",
                "ruby|-x|f",
                "ruby|-r./x|s.rb",
                "ruby|-0777ne|p",
                "ruby3.2|-e|1",
                "ruby|-C|dir|-e|1",
                "node|--eval=1",
                "node|-e|1",
                "node|-pe|1",
                "node|-p|1",
                "node|--print|1",
                "node|--title|x|-e|1",
                "node|-r|./x|s.js",
                "node|--import|./x.mjs|s.js",
                "node|--import=data:text/javascript,1|s.js",
                "node|--experimental_loader|./l|s.js",
                "node|--some-new-option|value|-e|1",
                "node|--run|x",
                "node|-",
                "nodejs|-e|1",
                "node|--no-warnings|-e|1",
                "lua|-e|print(1)",
                "lua5.4|-e|1",
                "luajit|-e|1",
                "lua|-",
                "lua|-l|x.y;z|s.lua",
                "php|-r|echo 1;",
                "php8.2|-r|1",
                "php|-R|1",
                "php|-B|1",
                "php|-E|1",
                "php|--run|1",
                "php|-d|auto_prepend_file=x|s.php",
                "php|-dauto_append_file=x|s.php",
                "php|--define|auto_prepend_file=x|s.php",
                "php|-z|x.so",
                "bun|-e|1",
                "Rscript|-e|1"
            })
    void B166_inline_code_is_found_in_every_spelling(String argv) {
        assertThat(code(argv)).startsWith("argv[").contains(" takes ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3|s.py|-c|x",
                "python3|s.py|-m|x",
                "python3|-I|s.py|-",
                "python3|-W|ignore|s.py|-c",
                "python3",
                "python3|-i|s.py",
                "python3|-X|dev|s.py",
                "python3|--version",
                "python3|-V",
                "perl|s.pl|-e|x",
                "perl|-w|s.pl|-e",
                "perl|-MPOSIX=floor,ceil|s.pl",
                "perl|-Ilib|s.pl",
                "perl|-c|s.pl",
                "ruby|s.rb|-e|x",
                "ruby|-W0|s.rb",
                "node|s.js|-e|x",
                "node|--inspect|s.js",
                "node|--title=x|s.js",
                "node|--test",
                "node|-c|s.js",
                "node|--max-old-space-size=4096|s.js|-e",
                "lua|s.lua|-e",
                "lua|-l|socket|s.lua",
                "php|s.php|-r|x",
                "php|-d|memory_limit=512M|s.php",
                "php|-c|php.ini|s.php",
                "java|-cp|x|Main",
                "gcc|-c|x.c",
                "grep|-e|x|f",
                "tail|-c|5|f"
            })
    void B166_a_script_file_keeps_its_own_arguments(String argv) {
        assertThat(code(argv)).isEmpty();
    }

    @Test
    void the_detail_names_the_element_and_the_option() {
        assertThat(code("python3|-W|ignore|-Ic|print(1)")).isEqualTo("argv[3]: python3 takes inline code (-c)");
        assertThat(code("env|A=1|nice|-n|5|bash|-lc|id")).isEqualTo("argv[6]: bash takes a command string (-c)");
        assertThat(code("bash|x\u0007.sh")).isEqualTo("argv[1]: bash takes a script file");
        assertThat(code("git|-c|core.pager=id|log"))
                .isEqualTo("argv[1]: git takes a setting that can name a program (-c)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "awk|BEGIN{system(\"id\")}",
                "gawk|-f|x",
                "mawk|1",
                "/usr/bin/awk|1|f",
                "gawk-5.1.0|1",
                "busybox|awk|1",
                "env|-S|sh -c id",
                "env|-Sbash -c id",
                "env|-iS|sh",
                "env|--split-string=sh -c id",
                "env|--split|sh",
                "env|-i|PATH=/workspace|ls",
                "env|LD_PRELOAD=/w/x.so|cat|f",
                "env|BASH_ENV=x|true",
                "env|-u|HOME|sh|-c|id",
                "env|A=1|B=2|python3|-c|1",
                "env|-|python3|-c|1",
                "env|--new-flag|x|ls",
                "nice|sh|-c|id",
                "nice|-n|5|sh|-c|id",
                "nice|-5|sh|-c|id",
                "nice|--adj|5|sh|-c|id",
                "nohup|bash|x.sh",
                "timeout|5|sh|-c|id",
                "timeout|-k|1|-s|9|5|python3|-",
                "timeout|--kill|1|5|sh|x",
                "setsid|-w|sh|-c|id",
                "xargs|sh|-c|id",
                "xargs|-0|-n|1|sh|-c|id",
                "xargs|bash",
                "xargs|python3",
                "xargs|env|python3",
                "xargs|-I{}|perl|{}|-e",
                "xargs|nice|node",
                "xargs|--replace=X|node|Xy",
                "xargs|-P4|ruby",
                "stdbuf|-oL|sh|-c|id",
                "time|-f|%e|sh|-c|id",
                "ionice|-c|2|sh|-c|id",
                "chrt|-b|0|sh|-c|id",
                "taskset|-c|0|sh|-c|id",
                "busybox|env|sh|-c|id",
                "find|.|-exec|sh|-c|id|;",
                "find|.|-exec|rm|{}|;|-exec|bash|{}|+",
                "find|.|-ok|python3|-c|1|;",
                "find|.|-execdir|env|-S|x|;",
                "/lib64/ld-linux-x86-64.so.2|/bin/sh|-c|id",
                "ld.so|--preload|x.so|/bin/ls",
                "ld-musl-x86_64.so.1|/bin/sh|x",
                "watch|id",
                "parallel|id",
                "script|-c|id",
                "su|-c|id",
                "sudo|-s",
                "flock|f|-c|id",
                "flock|f|sh|-c|id",
                "unknown-wrapper|sh|-c|id",
                "unknown-wrapper|--|/bin/bash|--rcfile|x",
                "setarch|x86_64|sh|-c|id",
                "unshare|-r|sh|-c|id",
                "chroot|/x|sh|-c|id"
            })
    void programs_that_start_programs_hide_no_code(String argv) {
        assertThat(code(argv)).startsWith("argv[");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "env|A=1|git|status",
                "env|-i|ls",
                "env",
                "nice|-n|5|make",
                "timeout|5|git|status",
                "xargs|rm",
                "xargs|sed|-i|s/a/b/",
                "xargs|python3|s.py",
                "xargs|-I{}|python3|s.py|{}",
                "xargs|-I|X|cp|X|d",
                "xargs|-0|grep|-e|x",
                "find|.|-name|x|-exec|rm|{}|;",
                "find|.|-exec|python3|s.py|{}|+",
                "find|.|-type|f",
                "busybox|ls",
                "time|mvn|-o|test",
                "taskset|-c|0,1|java|-jar|x.jar",
                "stdbuf|-oL|tail|-f|x",
                "sort|-c|f",
                "git|commit|-m|sh",
                "printf|%s|bash"
            })
    void programs_that_start_programs_may(String argv) {
        assertThat(code(argv)).isEmpty();
    }

    @Test
    void every_program_of_the_list_is_named() {
        assertThat(read("env|A=1|timeout|5|find|.|-exec|rm|{}|;|-exec|/usr/bin/chmod|+x|{}|+")
                        .programs())
                .extracting(started -> started.at() + " " + started.name().spelling())
                .containsExactly("0 env", "2 timeout", "4 find", "7 rm", "11 /usr/bin/chmod");
    }

    @Test
    void B175_text_with_newlines_quotes_and_size_is_no_code() {
        assertThat(code("git|commit|-m|line1\nline2")).isEmpty();
        assertThat(code("printf|%s|a\tb|$HOME \"quoted\"|")).isEmpty();
        assertThat(code("printf|%s|" + "x".repeat(120_000))).isEmpty();
    }

    @Test
    void a_tower_of_wrappers_ends_in_a_refusal() {
        var argv = new ArrayList<ByteString>();
        for (int i = 0; i < 60_000; i++) {
            argv.add(ByteString.of("env"));
        }
        assertThat(ArgvReader.read(argv).code())
                .hasValueSatisfying(code -> assertThat(code.what()).isEqualTo("more than 64 programs in one list"));
    }

    @Test
    void bytes_that_are_no_text_are_read_all_the_same() {
        var argv = List.of(
                ByteString.of("python3"), ByteString.copyOf(new byte[] {(byte) 0xff, '-', 'c'}), ByteString.of("-c"));
        assertThat(ArgvReader.read(argv).code()).isEmpty();
        var code = List.of(ByteString.of("sh"), ByteString.copyOf(new byte[] {'-', (byte) 0xfe, 'c'}));
        assertThat(ArgvReader.read(code).code()).isPresent();
    }
}
