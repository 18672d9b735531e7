package dev.cagewright.sandbox.gitconfig;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What becomes of the changes that a workload made in its own copy of a configuration file.
///
/// @param text the host's file with the harmless ones in it; empty if it stays as it is
/// @param brought the names of the settings that came over
/// @param kept one sentence for each that did not, safe on a terminal
public record ConfigMerge(Optional<String> text, List<String> brought, List<String> kept) {
    private static final int CHANGES = 300;
    private static final int TOLD = 20;

    public ConfigMerge {
        brought = List.copyOf(brought);
        kept = List.copyOf(kept);
    }

    /// The three texts that a merge looks at; one char a byte.
    ///
    /// @param base the file as the workload found it
    /// @param cage as the workload left its copy
    /// @param host as the host has it now
    public record Texts(String base, String cage, String host) {}

    /// Brings over, setting by setting, what is harmless and what the host did not change itself meanwhile.
    public static ConfigMerge of(Texts texts, HarmlessSettings harmless) {
        if (texts.base.equals(texts.cage)) {
            return new ConfigMerge(Optional.empty(), List.of(), List.of());
        }
        var base = ConfigText.parse(texts.base);
        var cage = ConfigText.parse(texts.cage);
        var host = ConfigText.parse(texts.host);
        var names = changed(base, cage);
        if (!cage.isWhole() || !host.isWhole() || names.size() > CHANGES) {
            var why = !host.isWhole()
                    ? "the host's file is none that git would read"
                    : cage.isWhole() ? "more than " + CHANGES + " settings" : "the cage's is none that git would read";
            return new ConfigMerge(Optional.empty(), List.of(), List.of("nothing was taken over: " + why));
        }
        var merge = new Draft(base, cage, host, harmless);
        names.forEach(merge::bring);
        return merge.finish(texts.host);
    }

    /// Where remotes lead comes first: what names a remote is judged by it.
    private static List<Setting> changed(ConfigText base, ConfigText cage) {
        Map<String, Setting> names = new LinkedHashMap<>();
        for (ConfigText one : List.of(cage, base)) {
            one.settings().forEach(setting -> names.putIfAbsent(setting.name(), setting));
        }
        return names.values().stream()
                .filter(name -> !base.values(name).equals(cage.values(name)))
                .sorted(Comparator.comparingInt(ConfigMerge::rank))
                .toList();
    }

    private static int rank(Setting name) {
        return switch (name.key()) {
            case "url" -> 0;
            case "remote" -> 1;
            default -> 2;
        };
    }

    private static final class Draft {
        private final ConfigText base;
        private final ConfigText cage;
        private final HarmlessSettings harmless;
        private final Set<String> brought = new TreeSet<>();
        private final List<String> kept = new ArrayList<>();
        private ConfigText host;

        Draft(ConfigText base, ConfigText cage, ConfigText host, HarmlessSettings harmless) {
            this.base = base;
            this.cage = cage;
            this.host = host;
            this.harmless = harmless;
        }

        void bring(Setting name) {
            var wanted = cage.values(name);
            var there = host.values(name);
            if (there.equals(wanted)) {
                return;
            }
            var objection = objection(name, wanted);
            if (objection.isPresent()) {
                kept.add(objection.get());
            } else if (!there.equals(base.values(name))) {
                kept.add(Printable.of(name.name()) + ": the host changed it too, and keeps its own");
            } else {
                take(name, wanted);
            }
        }

        private Optional<String> objection(Setting name, List<String> wanted) {
            for (String value : wanted) {
                var setting = name.with(value);
                if (!host.values(name).contains(value)) {
                    var why = harmless.objection(setting, host);
                    if (why.isPresent()) {
                        return Optional.of(setting + ": " + why.get());
                    }
                }
            }
            if (isOfAnotherRemote(name)) {
                return Optional.of(Printable.of(name.name()) + ": goes with a remote that stayed behind");
            }
            return harmless.isKnown(name)
                    ? Optional.empty()
                    : Optional.of(Printable.of(name.name()) + ": was removed or put in another order; it is not one of"
                            + " the settings that are known to be harmless");
        }

        /// What a branch is merged with means nothing without the remote that it means.
        private boolean isOfAnotherRemote(Setting name) {
            var remote = new Setting("branch", name.subsection(), "remote", "");
            return name.section().equals("branch")
                    && name.key().equals("merge")
                    && !cage.values(remote).equals(host.values(remote));
        }

        /// What does not read back as it was meant is not taken.
        private void take(Setting name, List<String> wanted) {
            var after = ConfigEdit.of(host, name, wanted);
            var others = host.settings().stream()
                    .filter(one -> !one.isNamedLike(name))
                    .toList();
            boolean isExact = after.isWhole()
                    && after.values(name).equals(wanted)
                    && after.settings().stream()
                            .filter(one -> !one.isNamedLike(name))
                            .toList()
                            .equals(others);
            if (isExact) {
                host = after;
                brought.add(Printable.of(name.name()));
            } else {
                kept.add(Printable.of(name.name()) + ": cannot be written into the host's file without changing more");
            }
        }

        ConfigMerge finish(String before) {
            var told = new ArrayList<>(kept.subList(0, Math.min(TOLD, kept.size())));
            if (kept.size() > TOLD) {
                told.add("and " + (kept.size() - TOLD) + " more");
            }
            var text = Optional.of(host.text()).filter(now -> !now.equals(before));
            return new ConfigMerge(text, List.copyOf(brought), told);
        }
    }
}
