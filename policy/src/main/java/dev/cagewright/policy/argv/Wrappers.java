package dev.cagewright.policy.argv;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The programs that start other programs and have a grammar, by name.
final class Wrappers {
    private static final String ALWAYS_SHELL = "a command for a shell";

    private Wrappers() {}

    static Map<String, Dialect> byName() {
        var all = new HashMap<String, Dialect>();
        all.put("env", new EnvWrapper());
        all.put("xargs", new Xargs());
        all.put("find", new Find());
        putTimes(all);
        putScheduling(all);
        putConfinement(all);
        putTracing(all);
        putIdentities(all);
        for (String multiCall : new String[] {"busybox", "toybox", "coreutils"}) {
            all.put(multiCall, Wrapper.of(0, "help list list-full install"));
        }
        return all;
    }

    private static void putTimes(Map<String, Dialect> all) {
        all.put("nohup", Wrapper.of(0, "help version"));
        all.put("time", Wrapper.of(0, "a f: o: p q v V append format= output= portability quiet verbose help version"));
        all.put(
                "timeout",
                Wrapper.of(1, "f k: p s: v foreground kill-after= preserve-status signal= verbose help version"));
        all.put("stdbuf", Wrapper.of(0, "i: o: e: input= output= error= help version"));
        all.put("setsid", Wrapper.of(0, "c f w ctty fork wait h V help version"));
        all.put("faketime", Wrapper.of(1, "m f p: date-prog= exclude-monotonic help version"));
        all.put("watch", code(ALWAYS_SHELL));
        all.put("parallel", code(ALWAYS_SHELL));
        all.put("sem", code(ALWAYS_SHELL));
        all.put("entr", Wrapper.of(0, "a c d n p r x z s:", Map.of("s", ALWAYS_SHELL)));
        all.put("flock", Wrapper.of(1, """
                s x e u n o F w: E: c: shared exclusive unlock nonblock nb close no-fork wait= timeout=
                conflict-exit-code= command= verbose h V help version""", Map.of("c", ALWAYS_SHELL, "command", ALWAYS_SHELL)));
    }

    private static void putScheduling(Map<String, Dialect> all) {
        all.put("nice", Wrapper.of(0, "n: adjustment= help version"));
        all.put("ionice", Wrapper.of(0, "c: n: p: P: u: t class= classdata= pid= pgid= uid= ignore h V help version"));
        all.put("chrt", Wrapper.of(1, """
                a b d e f i m o p r R v T: P: D: all-tasks batch deadline ext fifo idle max other pid rr reset-on-fork
                verbose sched-runtime= sched-period= sched-deadline= h V help version"""));
        all.put("taskset", Wrapper.of(1, "a c p all-tasks cpu-list pid h V help version"));
        all.put("choom", Wrapper.of(0, "n: p: adjust= pid= h V help version"));
        all.put("prlimit", Wrapper.of(0, """
                p: o: c? d? e? f? i? l? m? n? q? r? s? t? u? v? x? y? pid= output= noheadings raw verbose core? data? nice?
                fsize? sigpending? memlock? rss? nofile? msgqueue? rtprio? stack? cpu? nproc? as? locks? rttime? help
                version"""));
        all.put("numactl", Wrapper.of(0, """
                i: w: N: C: m: l p: b: a s H interleave= weighted-interleave= cpunodebind= physcpubind= membind=
                localalloc preferred= balancing all show hardware"""));
    }

    private static void putConfinement(Map<String, Dialect> all) {
        all.put("unshare", Wrapper.of(0, """
                m? u? i? n? p? U? C? T? f r c R: w: S: G: mount? uts? ipc? net? pid? user? cgroup? time? fork
                map-user= map-group= map-users= map-groups= map-root-user map-current-user map-auto kill-child?
                mount-proc? propagation= setgroups= root= wd= setuid= setgid= keep-caps h V help version"""));
        all.put("nsenter", Wrapper.of(0, """
                a t: m? u? i? n? p? U? C? T? S: G: r? w? W: F Z e all target= mount? uts? ipc? net? pid? user? cgroup?
                time? setuid= setgid= preserve-credentials root? wd? wdns= no-fork env follow-context h V help
                version"""));
        all.put("chroot", Wrapper.of(1, "userspec= groups= skip-chdir help version"));
        for (String name : new String[] {"setarch", "linux32", "linux64", "i386", "x86_64", "aarch64"}) {
            all.put(name, Wrapper.of(name.equals("setarch") ? 1 : 0, """
                    B F I L R S T X Z v 3 32bit fdpic-funcptrs short-inode addr-compat-layout addr-no-randomize
                    whole-seconds sticky-timeouts read-implies-exec mmap-page-zero 3gb 4gb uname-2.6 verbose list h V
                    help version"""));
        }
        var preload = Map.of("preload", "a library to load first", "audit", "a library to load first");
        all.put("ld.so", Wrapper.of(0, """
                list verify inhibit-cache inhibit-rpath= library-path= preload= audit= argv0= glibc-hwcaps-prepend=
                glibc-hwcaps-mask= list-tunables list-diagnostics help version""", preload));
    }

    private static void putTracing(Map<String, Dialect> all) {
        all.put("strace", Wrapper.of(0, """
                c C d f F h i k n N q r T v V w x y Y z Z a: b: e: E: I: o: O: p: P: s: S: u: U: X: t A D output= trace=
                attach= string-limit= env= user= columns= follow-forks summary-only summary failed-only
                successful-only help version"""));
        all.put("ltrace", Wrapper.of(0, "c C f h i L r S t T v V a: A: D: e: F: l: n: o: p: s: u: w: x: X: output="));
        for (String name :
                new String[] {"catchsegv", "eatmydata", "unbuffer", "dbus-run-session", "ccache", "sccache"}) {
            all.put(name, Wrapper.of(0, "p"));
        }
        all.put("fakeroot", Wrapper.of(0, "l: s: i: u b: lib= faked= unknown-is-real fd-base= h v help version"));
        all.put("tini", Wrapper.of(0, "h s v w g l p: e: version"));
        all.put("dumb-init", Wrapper.of(0, "c r: v h V single-child rewrite= verbose help version"));
    }

    private static void putIdentities(Map<String, Dialect> all) {
        var shell =
                Map.of("c", "a command string", "command", "a command string", "session-command", "a command string");
        all.put("su", Wrapper.of(0, "c: f g: G: l m p P s: w: command= shell= login h V help version", shell));
        all.put("runuser", Wrapper.of(0, "c: f g: G: l m p P s: u: w: command= shell= user= login h V", shell));
        var interactive = Map.of("s", "a shell", "i", "a shell", "shell", "a shell", "login", "a shell");
        all.put("sudo", Wrapper.of(0, """
                A b B E e H i K k l n N P S s v V C: D: g: h: p: R: r: T: t: u: U: shell login user= group= chdir=
                preserve-env? non-interactive""", interactive));
        all.put("doas", Wrapper.of(0, "n s L u: C:", interactive));
        all.put("setpriv", Wrapper.of(0, """
                d clear-groups groups= inh-caps= ambient-caps= bounding-set= keep-groups init-groups list-caps
                no-new-privs rgid= ruid= egid= euid= regid= reuid= reset-env securebits= pdeathsig= selinux-label=
                apparmor-profile= landlock-access= landlock-rule= dump help version"""));
        all.put("script", code("a shell, or a command for one"));
        all.put("at", code(ALWAYS_SHELL));
        all.put("batch", code(ALWAYS_SHELL));
    }

    /// A program that is nothing but a way to run code.
    static Dialect code(String what) {
        return new Outright(what);
    }

    /// A program whose very arguments are code, refused whenever it has any.
    private record Outright(String what) implements Dialect {
        @Override
        public Reading read(Command command) {
            if (command.from() + 1 >= command.to()) {
                return Reading.PLAIN;
            }
            return new Reading.Code(command.from() + 1, command.program().base() + " takes " + what);
        }

        @Override
        public boolean takesCode() {
            return true;
        }
    }

    /// `find`: the programs behind `-exec` and its kin.
    private static final class Find implements Dialect {
        private static final Set<String> STARTERS = Set.of("-exec", "-execdir", "-ok", "-okdir");

        @Override
        public Reading read(Command command) {
            var started = new ArrayList<Command>();
            for (int i = command.from() + 1; i < command.to(); i++) {
                if (STARTERS.contains(command.word(i)) && i + 1 < command.to()) {
                    int end = endOf(command, i + 1);
                    if (end > i + 1) {
                        started.add(command.within(i + 1, end));
                    }
                    i = end;
                }
            }
            return started.isEmpty() ? Reading.PLAIN : new Reading.Starts(started);
        }

        private static int endOf(Command command, int start) {
            for (int i = start; i < command.to(); i++) {
                boolean isPlus =
                        command.word(i).equals("+") && command.word(i - 1).equals("{}");
                if (command.word(i).equals(";") || isPlus) {
                    return i;
                }
            }
            return command.to();
        }
    }

    /// `xargs`, which puts what it reads behind the arguments or in the place of a mark.
    private static final class Xargs implements Dialect {
        private static final Grammar GRAMMAR = Wrapper.grammar("""
                0 a: d: E: e? I: i? L: l? n: o P: p r s: t x null arg-file= delimiter= eof? replace? max-lines?
                max-args= open-tty max-procs= interactive process-slot-var= no-run-if-empty max-chars= show-limits
                exit verbose help version""");
        private static final Wrapper WRAPPER = new Wrapper(GRAMMAR, 0, Map.of());

        @Override
        public Reading read(Command command) {
            return switch (WRAPPER.read(command)) {
                case Reading.Starts(var commands) -> {
                    var unknown = unknown(command);
                    yield new Reading.Starts(
                            commands.stream().map(inner -> inner.with(unknown)).toList());
                }
                case Reading.Plain plain -> plain;
                case Reading.Code code -> code;
            };
        }

        private static Command.Unknown unknown(Command command) {
            Command.Unknown unknown = new Command.Unknown.Appended();
            for (Grammar.Token token : GRAMMAR.tokens(command)) {
                if (token instanceof Grammar.Token.Option option && option.isOneOf("I", "i", "replace")) {
                    var mark = option.value();
                    unknown = new Command.Unknown.InPlaceOf(mark == null || mark.isEmpty() ? "{}" : mark);
                }
            }
            return unknown;
        }
    }
}
