package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// `exec`: which programs may start. Without an allowlist only the built-in argv rules hold; an empty one lets
/// nothing start.
///
/// @param allowlist program names, or absolute paths inside the cage
/// @param env names of variables that the caller may pass in; absent means none
public record ExecSection(Optional<List<String>> allowlist, Optional<List<String>> env) {
    private static final List<String> DECISIVE_PREFIXES = List.of("LD_", "DYLD_", "BASH_FUNC", "GIT_CONFIG");

    private static final Set<String> DECISIVE = Set.of("""
            PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND ZDOTDIR CDPATH SHELL GLIBC_TUNABLES
            GCONV_PATH LOCPATH NLSPATH HOSTALIASES RES_OPTIONS PYTHONSTARTUP PYTHONPATH PYTHONHOME
            PYTHONINSPECT PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS PYTHONEXECUTABLE PERL5OPT PERL5LIB
            PERLLIB PERL5DB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE NODE_OPTIONS NODE_PATH
            NODE_REPL_EXTERNAL_MODULE LUA_INIT LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR CLASSPATH
            JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS
            ANT_OPTS GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR
            GIT_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE SSH_ASKPASS
            PAGER MANPAGER LESSOPEN LESSCLOSE EDITOR VISUAL BROWSER MAKEFLAGS GNUMAKEFLAGS MAKEFILES
            RUSTC_WRAPPER RUSTC RUSTFLAGS GOFLAGS CC CXX AWKPATH HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
            http_proxy https_proxy all_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE
            REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES
            """.strip().split("\\s+"));

    /// The same with more variables that may be passed in.
    ExecSection with(Collection<String> variables) {
        return new ExecSection(
                allowlist,
                Optional.of(Stream.concat(env.stream().flatMap(List::stream), variables.stream())
                        .distinct()
                        .toList()));
    }

    public ExecSection {
        allowlist = allowlist.map(List::copyOf);
        env = env.map(List::copyOf);
        allowlist.ifPresent(names -> names.forEach(name -> program("exec.allowlist", name)));
        env.ifPresent(names -> names.forEach(name -> variable("exec.env", name)));
    }

    /// Reads an entry of the allowlist.
    ///
    /// @throws IllegalArgumentException naming `field` and what is accepted
    public static String program(String field, String text) {
        boolean isName = text.matches("[A-Za-z0-9_\\[][A-Za-z0-9_.+@\\[-]{0,254}");
        if (isName || (text.startsWith("/") && Mount.target(field, text).value().equals(text))) {
            return text;
        }
        throw Field.refusal(field, text, "a program name such as git, or a canonical absolute path");
    }

    /// Reads a name of `exec.env`. Variables that decide which code runs are refused here too, so no policy can
    /// let a caller set them.
    ///
    /// @throws IllegalArgumentException naming `field` and what is accepted
    public static String variable(String field, String text) {
        if (!text.matches("[A-Za-z_][A-Za-z0-9_]{0,127}")) {
            throw Field.refusal(field, text, "the name of an environment variable");
        }
        if (decidesWhatRuns(text)) {
            throw Field.refusal(field, text, "a variable that does not decide which code runs");
        }
        return text;
    }

    /// Does a program that starts with this variable run code that the variable names: a loader's, a shell's, an
    /// interpreter's, git's?
    public static boolean decidesWhatRuns(String variable) {
        if (DECISIVE.contains(variable)) {
            return true;
        }
        for (String prefix : DECISIVE_PREFIXES) {
            if (variable.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
