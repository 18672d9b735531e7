package dev.cagewright.sandbox.gitconfig;

import java.util.regex.Pattern;

/// What a value may look like that comes along.
enum ValueShape {
    FLAG("true|false|yes|no|on|off|0|1|"),
    NUMBER("[+-]?[0-9]{1,12}[kKmMgG]?"),
    /// A word out of a list that git knows; one it does not know is an error of git's and nothing else.
    WORD("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}"),
    /// For people: never a path, an option or a command for anybody.
    TEXT("[^\\x00-\\x1f\\x7f]{0,1000}"),
    /// `refs/heads/main`, `main`, `origin/main`.
    REF("[A-Za-z0-9_][A-Za-z0-9_./@+#=-]{0,400}"),
    REFSPEC("[+^]?[A-Za-z0-9_][A-Za-z0-9_./*@+#=-]{0,400}(:[A-Za-z0-9_][A-Za-z0-9_./*@+#=-]{0,400})?"),
    /// The name of a remote of this file, or `.`.
    REMOTE("\\.|[A-Za-z0-9_][A-Za-z0-9_./@+-]{0,200}"),
    FILTER("(blob:none|tree:[0-9]{1,9}|blob:limit=[0-9]{1,12}[kmgKMG]?|)"),
    /// How a submodule is brought up to date; `!` and a command is the one that is not here.
    UPDATE("checkout|rebase|merge|none"),
    PATHSPEC("[A-Za-z0-9_.][A-Za-z0-9_./@+ -]{0,400}"),
    /// Judged by [RemoteUrl].
    URL("[^\\x00-\\x1f\\x7f]{1,2000}");

    private final Pattern pattern;

    ValueShape(String pattern) {
        this.pattern = Pattern.compile(pattern);
    }

    boolean fits(String value) {
        return pattern.matcher(value).matches();
    }
}
