package dev.cagewright.policy.argv;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The interpreters that have a grammar, by the stem of their names.
final class Interpreters {
    private static final String INLINE = "inline code";
    private static final String STARTUP = "code to load before the script";

    /// A module by a plain name, perhaps with names to import: `POSIX=floor,ceil`.
    private static final Pattern MODULE = Pattern.compile("-?[A-Za-z_][A-Za-z0-9_:]*(=[A-Za-z0-9_:,]*)?");

    /// PHP settings other than those that load or include files.
    private static final Pattern SETTING =
            Pattern.compile("(?i)(?!auto_|extension|zend_|opcache\\.preload|include_path|ffi\\.|sendmail).*");

    private Interpreters() {}

    static Map<String, Dialect> byStem() {
        var all = new HashMap<String, Dialect>();
        put(all, python(), "python", "pypy", "ipython");
        put(all, perl(), "perl");
        put(all, ruby(), "ruby", "jruby", "truffleruby");
        put(all, node(), "node", "nodejs");
        put(all, lua(), "lua", "luajit", "texlua");
        put(all, php(), "php", "php-cgi");
        put(all, bun(), "bun");
        put(all, others(), "julia", "Rscript", "R", "elixir", "erl", "groovy", "scala", "ghc", "guile", "octave");
        put(all, others(), "expect", "osascript", "jshell", "raku", "rakudo", "swipl", "sbcl", "clojure", "clj");
        return all;
    }

    private static void put(Map<String, Dialect> all, Dialect dialect, String... stems) {
        for (String stem : stems) {
            all.put(stem, dialect);
        }
    }

    private static Interpreter python() {
        return Interpreter.of(
                """
                b B d E h i I O P q R s S t u v V x ? c: m: W: X: Q: check-hash-based-pycs= help version
                help-all help-env help-xoptions""",
                Map.of(
                        "c", INLINE,
                        "m", "a module to run, found in the working directory first",
                        "x", "a program extracted from a file"),
                Map.of());
    }

    private static Interpreter perl() {
        return Interpreter.of(
                """
                a c f g h n p s S t T u U v w W X 0# C# D# d# e: E: F? i? I: l# m: M: V# x?""",
                Map.of("e", INLINE, "E", INLINE, "x", "a program extracted from a file"),
                Map.of("m", MODULE, "M", MODULE));
    }

    private static Interpreter ruby() {
        return Interpreter.of(
                """
                a c d h l n p s S U v w y 0# C: e: E: F? i? I: K? r: T# W# x? X: encoding= external-encoding=
                internal-encoding= disable= enable= debug dump= jit yjit verbose version help copyright
                backtrace-limit= parser= crash-report= require=""",
                Map.of("e", INLINE, "x", "a program extracted from a file", "r", STARTUP, "require", STARTUP),
                Map.of());
    }

    private static Interpreter node() {
        return Interpreter.of(
                """
                c h i s S v C: e: p? r: conditions= eval= print? require= import= loader= experimental-loader= run=
                allow-fs-read= allow-fs-write= build-snapshot-config= cpu-prof-dir= cpu-prof-interval=
                cpu-prof-name= diagnostic-dir= disable-proto= disable-warning= dns-result-order=
                env-file-if-exists= env-file= experimental-default-type= experimental-policy=
                experimental-sea-config= heap-prof-dir= heap-prof-interval= heap-prof-name=
                heapsnapshot-near-heap-limit= heapsnapshot-signal= icu-data-dir= input-type=
                inspect-publish-uid= max-http-header-size= openssl-config= policy-integrity=
                redirect-warnings= report-dir= report-directory= report-filename= report-signal= secure-heap-min=
                secure-heap= snapshot-blob= stack-trace-limit= test-concurrency= test-name-pattern=
                test-reporter-destination= test-reporter= test-shard= test-timeout= title= tls-cipher-list=
                tls-keylog= trace-event-categories= trace-event-file-pattern= trace-require-module=
                unhandled-rejections= use-largepages= v8-pool-size= watch-path= check interactive version help
                inspect? inspect-brk? watch test no-warnings trace-warnings enable-source-maps""",
                Map.of(
                        "e", INLINE,
                        "eval", INLINE,
                        "p", INLINE,
                        "print", INLINE,
                        "r", STARTUP,
                        "require", STARTUP,
                        "import", STARTUP,
                        "loader", STARTUP,
                        "experimental-loader", STARTUP,
                        "run", "a package script to run in a shell"),
                Map.of());
    }

    private static Interpreter lua() {
        return Interpreter.of("i v E W b? j? O? e: l:", Map.of("e", INLINE), Map.of("l", MODULE));
    }

    private static Interpreter php() {
        return Interpreter.of(
                """
                a C e h H i l m n q v w b: B: c: d: E: f: F: g: r: R: S: t: T: x? y: z: bindpath= process-begin=
                php-ini= define= process-end= file= process-file= run= process-code= server= docroot=
                zend-extension= timing= rf= rc= re= rz= ri= rfunction= rclass= rextension= rzendextension=
                rextinfo= interactive no-header no-chdir profile-info help hide-args info syntax-check modules
                no-php-ini version strip ini no-timing""",
                Map.of(
                        "r", INLINE,
                        "run", INLINE,
                        "R", INLINE,
                        "process-code", INLINE,
                        "B", INLINE,
                        "process-begin", INLINE,
                        "E", INLINE,
                        "process-end", INLINE,
                        "z", "an extension to load",
                        "zend-extension", "an extension to load"),
                Map.of("d", SETTING, "define", SETTING));
    }

    private static Interpreter bun() {
        return Interpreter.of(
                """
                h v b i e: p: r: eval= print= preload= require= import= cwd= config= env-file= filter= port= version
                help watch hot smol""",
                Map.of(
                        "e", INLINE, "eval", INLINE, "p", INLINE, "print", INLINE, "r", STARTUP, "preload", STARTUP,
                        "require", STARTUP, "import", STARTUP),
                Map.of());
    }

    /// The short list of spellings that a dozen interpreters share.
    private static Interpreter others() {
        return Interpreter.of(
                "q i v h e: E: c: g: eval= evaluate= exec= execute= expression=",
                Map.of(
                        "e",
                        INLINE,
                        "E",
                        INLINE,
                        "c",
                        INLINE,
                        "g",
                        INLINE,
                        "eval",
                        INLINE,
                        "evaluate",
                        INLINE,
                        "exec",
                        INLINE,
                        "execute",
                        INLINE,
                        "expression",
                        INLINE),
                Map.of());
    }
}
