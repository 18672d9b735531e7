package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.Mask;
import java.util.List;
import java.util.stream.Stream;

/// One row of the table of protected names. Git's own folders are not in it: [GitLayout] reads them.
///
/// @param path relative to where the row applies; its last name may hold `*`
record ProtectedName(String path, ProtectionGroup group, Mask.Kind kind, Reach reach) {

    /// Where a row applies.
    enum Reach {
        /// In every folder if it exists; at the top of the workspace it must not come into being.
        EVERYWHERE,
        /// In every folder if it exists.
        WHERE_IT_EXISTS,
        /// In the person's home directory, where it must not come into being either, and at the top of the
        /// workspace if it exists.
        HOME
    }

    static final List<ProtectedName> TABLE = Stream.of(
                    everywhere(
                            ProtectionGroup.AGENT_CONFIG,
                            ".claude .mcp.json .codex .gemini .opencode .pi .cursor .windsurf .kiro"),
                    existing(
                            ProtectionGroup.AGENT_CONFIG,
                            "opencode.json opencode.jsonc CLAUDE.local.md .cursorrules .windsurfrules .clinerules .cline"
                                    + " .roo .continue .goose .amazonq .agents .aider.conf.yml .copilot .crush.json"),
                    everywhere(ProtectionGroup.EDITOR_CONFIG, ".vscode .idea .zed"),
                    existing(
                            ProtectionGroup.EDITOR_CONFIG,
                            "*.code-workspace .fleet .nova .exrc .nvimrc .nvim.lua .vimrc .lvimrc .dir-locals.el"
                                    + " .dir-locals-2.el .sublime-project .devcontainer .devcontainer.json"),
                    home(
                            ProtectionGroup.EDITOR_CONFIG,
                            Mask.Kind.READ_ONLY,
                            ".vim .emacs .emacs.d .config/nvim .config/emacs .config/Code .config/zed .config/helix"),
                    everywhere(ProtectionGroup.SHELL_STARTUP, ".envrc"),
                    existing(ProtectionGroup.SHELL_STARTUP, ".direnv"),
                    home(
                            ProtectionGroup.SHELL_STARTUP,
                            Mask.Kind.READ_ONLY,
                            ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile"
                                    + " .zlogin .zlogout .inputrc .config/fish .config/nushell .config/direnv"
                                    + " .xprofile .xinitrc .xsession .xsessionrc .pam_environment .config/autostart"
                                    + " .config/systemd .config/environment.d .local/bin .tmux.conf .config/tmux"
                                    + " .screenrc .local/share/applications .config/mise .pythonrc .config/pip"),
                    home(ProtectionGroup.GIT_CONFIG, Mask.Kind.READ_ONLY, ".gitconfig .config/git"),
                    home(ProtectionGroup.SSH, Mask.Kind.HIDDEN, ".ssh"),
                    home(
                            ProtectionGroup.CLOUD_CREDENTIALS,
                            Mask.Kind.HIDDEN,
                            ".aws .azure .config/gcloud .kube .docker/config.json .netrc .npmrc .pypirc .gnupg .config/gh"
                                    + " .config/hub .git-credentials .config/git/credentials .vault-token .pgpass .my.cnf"
                                    + " .oci .terraform.d .config/doctl .config/rclone .config/op .password-store"
                                    + " .local/share/keyrings .cargo/credentials .cargo/credentials.toml .m2/settings.xml"
                                    + " .m2/settings-security.xml .gradle/gradle.properties .gem/credentials"
                                    + " .config/containers/auth.json .claude/.credentials.json .codex/auth.json"
                                    + " .mozilla .config/google-chrome .config/chromium"))
            .flatMap(rows -> rows)
            .toList();

    private static Stream<ProtectedName> everywhere(ProtectionGroup group, String names) {
        return rows(group, Mask.Kind.READ_ONLY, Reach.EVERYWHERE, names);
    }

    private static Stream<ProtectedName> existing(ProtectionGroup group, String names) {
        return rows(group, Mask.Kind.READ_ONLY, Reach.WHERE_IT_EXISTS, names);
    }

    private static Stream<ProtectedName> home(ProtectionGroup group, Mask.Kind kind, String names) {
        return rows(group, kind, Reach.HOME, names);
    }

    private static Stream<ProtectedName> rows(ProtectionGroup group, Mask.Kind kind, Reach reach, String names) {
        return Stream.of(names.split(" ", -1)).map(name -> new ProtectedName(name, group, kind, reach));
    }

    /// Files that many projects keep beside their sources without a secret in them: at the top of a workspace
    /// they are hidden only if they hold one.
    boolean hidesOnlySecrets() {
        return switch (path) {
            case ".npmrc", ".pypirc", ".m2/settings.xml", ".gradle/gradle.properties", ".my.cnf" -> true;
            default -> false;
        };
    }
}
