package dev.cagewright.sandbox.gitconfig;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The settings that may come from a cage into the host's file: a list of known ones, each with the shape of its
/// values. Whatever is not on it stays behind, known to git or not; so does a known one with another shape of value.
/// On it is nothing that makes git start a program (hooks, filters, helpers, editors, pagers, aliases), read another
/// file of settings, write elsewhere (`core.worktree`), go another way (`url.*.insteadOf`, proxies), or trust more
/// (`safe`, `protocol`, `http.sslVerify`). Immutable.
public final class HarmlessSettings {
    /// `section.key`, `section.*.key` where there must be a subsection, `section.**` for all keys with or without.
    private static final Map<String, ValueShape> TABLE = new HashMap<>();

    static {
        rows(
                ValueShape.FLAG,
                "core.quotepath core.filemode core.ignorecase core.precomposeunicode core.logallrefupdates"
                        + " core.sparsecheckout core.sparsecheckoutcone core.preloadindex core.commitgraph"
                        + " core.multipackindex commit.gpgsign commit.verbose tag.gpgsign push.followtags"
                        + " push.autosetupremote push.useforceifincludes fetch.prune fetch.prunetags"
                        + " fetch.writecommitgraph fetch.fsckobjects transfer.fsckobjects merge.stat merge.log rebase.stat"
                        + " rebase.autostash rebase.autosquash rebase.updaterefs rerere.enabled rerere.autoupdate"
                        + " log.follow log.abbrevcommit log.showroot log.mailmap diff.mnemonicprefix diff.noprefix"
                        + " gc.autodetach maintenance.auto submodule.recurse submodule.propagatebranches"
                        + " user.useconfigonly extensions.worktreeconfig pull.octopus remote.*.prune remote.*.prunetags"
                        + " remote.*.mirror remote.*.promisor remote.*.skipdefaultupdate remote.*.skipfetchall"
                        + " submodule.*.active submodule.*.shallow lfs.*.locksverify");
        rows(
                ValueShape.WORD,
                "core.autocrlf core.safecrlf core.eol core.untrackedcache core.abbrev pull.rebase pull.ff merge.ff"
                        + " merge.conflictstyle merge.renames push.default rebase.missingcommitscheck"
                        + " rebase.abbreviatecommands branch.autosetuprebase branch.autosetupmerge diff.algorithm"
                        + " diff.renames diff.colormoved diff.submodule diff.ignoresubmodules log.decorate"
                        + " status.short status.branch status.showstash status.showuntrackedfiles"
                        + " status.relativepaths status.submodulesummary status.aheadbehind status.renames"
                        + " maintenance.strategy advice.** feature.** branch.*.rebase remote.*.followremotehead"
                        + " submodule.*.ignore submodule.*.fetchrecursesubmodules lfs.*.access");
        rows(
                ValueShape.NUMBER,
                "core.repositoryformatversion gc.auto diff.context diff.renamelimit merge.renamelimit index.version"
                        + " submodule.fetchjobs fetch.parallel lfs.repositoryformatversion core.compression");
        rows(ValueShape.TEXT, "user.** author.** committer.** color.** column.** log.date branch.*.description");
        rows(
                ValueShape.REF,
                "init.defaultbranch branch.*.merge branch.*.vscode-merge-base branch.*.gh-merge-base branch.*.base"
                        + " branch.*.github-pr-owner-number submodule.*.branch remote.*.gh-resolved");
        rows(ValueShape.REFSPEC, "remote.*.fetch remote.*.push");
        rows(ValueShape.WORD, "branch.sort tag.sort");
        rows(ValueShape.REMOTE, "branch.*.remote branch.*.pushremote remote.pushdefault extensions.partialclone");
        rows(ValueShape.FILTER, "remote.*.partialclonefilter");
        rows(ValueShape.UPDATE, "submodule.*.update");
        rows(ValueShape.PATHSPEC, "submodule.active");
        rows(ValueShape.URL, "remote.*.url remote.*.pushurl submodule.*.url");
    }

    /// How a repository is laid out, which it says itself when it is made.
    private static final Map<String, ValueShape> LAYOUT = Map.of(
            "core.bare", ValueShape.FLAG,
            "core.symlinks", ValueShape.FLAG,
            "core.logallrefupdates", ValueShape.WORD,
            "extensions.objectformat", ValueShape.WORD,
            "extensions.compatobjectformat", ValueShape.WORD,
            "extensions.refstorage", ValueShape.WORD,
            "extensions.relativeworktrees", ValueShape.FLAG,
            "extensions.preciousobjects", ValueShape.FLAG,
            "extensions.noop", ValueShape.TEXT);

    /// Kept away from what `**` would let through: whom a person signs as, and how colours reach a pager.
    private static final String[] EXCEPTED = {"user.signingkey", "author.signingkey", "color.pager"};

    private final Reach reach;

    /// @param reach for remotes on this machine
    public HarmlessSettings(Reach reach) {
        this.reach = reach;
    }

    private static void rows(ValueShape shape, String names) {
        for (String name : names.split(" ", -1)) {
            TABLE.put(name, shape);
        }
    }

    /// Is the setting known, whatever its value?
    boolean isKnown(Setting setting) {
        return shape(setting).isPresent();
    }

    /// Why `setting` may not be in the host's file, which otherwise is `file`; empty if it may.
    Optional<String> objection(Setting setting, ConfigText file) {
        var shape = shape(setting);
        if (shape.isEmpty()) {
            return Optional.of("is not one of the settings that are known to be harmless");
        }
        if (!isNameFit(setting)) {
            return Optional.of("has a name that is no plain text");
        }
        if (!shape.get().fits(setting.value())) {
            return Optional.of("has no value of the kind that is known to be harmless");
        }
        if (isOfNothing(setting, file)) {
            return Optional.of("belongs to nothing here that has a url");
        }
        return switch (shape.get()) {
            case URL -> RemoteUrl.objection(setting.value(), reach);
            case REMOTE ->
                isRemoteOf(setting.value(), file)
                        ? Optional.empty()
                        : Optional.of("names no remote of this repository, so git would take it for a path");
            case REF, REFSPEC ->
                setting.value().contains("..") ? Optional.of("is no name of a branch or tag") : Optional.empty();
            case FLAG, NUMBER, WORD, TEXT, FILTER, UPDATE, PATHSPEC -> Optional.empty();
        };
    }

    /// A part of a remote or submodule whose own address stayed behind.
    private static boolean isOfNothing(Setting setting, ConfigText file) {
        boolean isPart = !setting.subsection().isEmpty()
                && (setting.section().equals("remote") || setting.section().equals("submodule"))
                && !setting.key().equals("url");
        return isPart
                && file.values(new Setting(setting.section(), setting.subsection(), "url", ""))
                        .isEmpty();
    }

    /// The same for the file of a repository that is new: what says how the repository itself is laid out belongs in
    /// it. `core.worktree` is left to the caller.
    public Optional<String> objectionInNew(Setting setting, ConfigText file) {
        var layout = setting.subsection().isEmpty() ? LAYOUT.get(setting.section() + "." + setting.key()) : null;
        return layout != null && layout.fits(setting.value()) ? Optional.empty() : objection(setting, file);
    }

    private static boolean isRemoteOf(String name, ConfigText file) {
        return name.equals(".")
                || !file.values(new Setting("remote", name, "url", "")).isEmpty();
    }

    private static boolean isNameFit(Setting setting) {
        return setting.subsection().chars().allMatch(c -> c >= ' ' && c != 0x7f)
                && setting.subsection().length() <= 400;
    }

    private static Optional<ValueShape> shape(Setting setting) {
        var plain = setting.section() + "." + setting.key();
        for (String one : EXCEPTED) {
            if (plain.equals(one)) {
                return Optional.empty();
            }
        }
        var exact = setting.section() + (setting.subsection().isEmpty() ? "." : ".*.") + setting.key();
        return Optional.ofNullable(TABLE.get(exact))
                .or(() -> Optional.ofNullable(TABLE.get(setting.section() + ".**")));
    }
}
