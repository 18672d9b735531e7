package dev.cagewright.sandbox.environment;

import java.util.List;
import java.util.Set;

/// Names that never come from the caller, because they choose what a program loads, runs, trusts or talks
/// to. Data; sources are ld.so(8), bash(1), git(1), perlrun(1), python(1), node's and the JDK's manuals.
final class RefusedVariables {
    /// Harmless members of families that are refused as a whole.
    private static final List<String> HARMLESS_PREFIXES =
            List.of("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_TERMINAL_PROMPT", "GIT_ADVICE");

    private static final List<String> PREFIXES = List.of(
            "LD_",
            "DYLD_",
            "GLIBC_",
            "MALLOC_",
            "BASH_",
            "PYTHON",
            "PERL",
            "RUBY",
            "NODE_",
            "NPM_",
            "YARN_",
            "LUA_",
            "PHP",
            "GIT_",
            "SSH_",
            "DBUS_",
            "XDG_",
            "CAGEWRIGHT_",
            "COR_",
            "CORECLR_",
            "DOTNET_",
            "OPENSSL_",
            "SSL_",
            "CURL_",
            "GEM_",
            "BUNDLE_",
            "CARGO_",
            "RUSTC",
            "ERL_",
            "SUDO_",
            "DOCKER_",
            "PODMAN_",
            "CONTAINER_HOST");

    private static final Set<String> NAMES = Set.of(
            "ENV",
            "SHELLOPTS",
            "BASHOPTS",
            "PS4",
            "PROMPT_COMMAND",
            "IFS",
            "CDPATH",
            "GLOBIGNORE",
            "ZDOTDIR",
            "FPATH",
            "INPUTRC",
            "GCONV_PATH",
            "GETCONF_DIR",
            "LOCPATH",
            "NLSPATH",
            "TZDIR",
            "TERMINFO",
            "TERMINFO_DIRS",
            "TERMCAP",
            "HOSTALIASES",
            "RESOLV_HOST_CONF",
            "RES_OPTIONS",
            "LOCALDOMAIN",
            "SSLKEYLOGFILE",
            "REQUESTS_CA_BUNDLE",
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "JDK_JAVAC_OPTIONS",
            "JAVA_OPTS",
            "CLASSPATH",
            "MAVEN_OPTS",
            "MAVEN_ARGS",
            "MAVEN_CONFIG",
            "MAVEN_PROJECTBASEDIR",
            "GRADLE_OPTS",
            "ANT_OPTS",
            "ANT_ARGS",
            "SBT_OPTS",
            "RUSTFLAGS",
            "GOFLAGS",
            "GOTOOLDIR",
            "GOENV",
            "MAKEFLAGS",
            "MAKEFILES",
            "GNUMAKEFLAGS",
            "CC",
            "CXX",
            "CPP",
            "COMPILER_PATH",
            "GCC_EXEC_PREFIX",
            "R_PROFILE",
            "R_PROFILE_USER",
            "R_ENVIRON",
            "PAGER",
            "MANPAGER",
            "LESSOPEN",
            "LESSCLOSE",
            "LESSKEY",
            "LESS",
            "EDITOR",
            "VISUAL",
            "BROWSER",
            "EXINIT",
            "VIMINIT",
            "SUDO_ASKPASS",
            "TAR_OPTIONS",
            "RSYNC_RSH",
            "CVS_RSH",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "XAUTHORITY",
            "KRB5_CONFIG",
            "PSMODULEPATH",
            "VIRTUAL_ENV");

    private RefusedVariables() {}

    /// Is `name`, in capitals, one of them? Proxy variables of every protocol are: the cage's way out needs none.
    static boolean refuse(String name) {
        if (HARMLESS_PREFIXES.stream().anyMatch(name::startsWith)) {
            return false;
        }
        return NAMES.contains(name)
                || name.endsWith("_PROXY")
                || PREFIXES.stream().anyMatch(name::startsWith);
    }
}
