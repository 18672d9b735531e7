package dev.cagewright.policy.layers;

import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.HidePattern;
import dev.cagewright.policy.document.Mount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The file system that all layers together permit.
///
/// @param mounts outer ones before inner ones
/// @param waive the protected groups that every layer with files lifts
/// @param hide everything that some layer hides
/// @param dropped what a layer asked for and another does not permit, one sentence each
public record EffectiveFiles(
        List<Sourced<Mount>> mounts, List<String> waive, List<HidePattern> hide, List<String> dropped) {
    public EffectiveFiles {
        mounts = List.copyOf(mounts);
        waive = List.copyOf(waive);
        hide = List.copyOf(hide);
        dropped = List.copyOf(dropped);
    }

    static EffectiveFiles of(Stack stack) {
        var dropped = new ArrayList<String>();
        var sections = stack.layers().stream()
                .flatMap(layer -> layer.document().fs().stream())
                .toList();
        var hide = sections.stream()
                .flatMap(section -> section.hide().stream())
                .distinct()
                .toList();
        return new EffectiveFiles(
                mounts(stack, dropped),
                Stack.shared(sections.stream().map(FsSection::waive).toList()),
                hide,
                dropped);
    }

    private static List<Sourced<Mount>> mounts(Stack stack, List<String> dropped) {
        var lists = stack.layers().stream()
                .filter(layer ->
                        layer.document().fs().flatMap(FsSection::mounts).isPresent())
                .map(EffectiveFiles::mountsOf)
                .toList();
        if (lists.isEmpty()) {
            return List.of();
        }
        var higher = lists.subList(0, lists.size() - 1);
        var kept = new ArrayList<Sourced<Mount>>();
        for (Sourced<Mount> mount : lists.getLast()) {
            narrowed(mount, higher, dropped).ifPresent(kept::add);
        }
        for (List<Sourced<Mount>> list : higher.reversed()) {
            list.forEach(mount -> keepInner(mount, kept, higher, dropped));
        }
        kept.sort((one, other) -> Integer.compare(depth(one), depth(other)));
        return kept;
    }

    private static List<Sourced<Mount>> mountsOf(Layer layer) {
        var mounts = layer.document().fs().flatMap(FsSection::mounts).orElse(List.of());
        var all = new ArrayList<Sourced<Mount>>();
        for (int i = 0; i < mounts.size(); i++) {
            all.add(Sourced.of(layer, "/fs/mounts/" + i, mounts.get(i)));
        }
        return all;
    }

    private static int depth(Sourced<Mount> mount) {
        var path = mount.value().path().value();
        return path.equals("/") ? 0 : (int) path.chars().filter(c -> c == '/').count();
    }

    /// The mount as far as every higher layer has it too: inside one of its mounts, from the same source, with no
    /// more power.
    private static Optional<Sourced<Mount>> narrowed(
            Sourced<Mount> asked, List<List<Sourced<Mount>>> higher, List<String> dropped) {
        var mount = asked.value();
        for (List<Sourced<Mount>> list : higher) {
            var outer = around(mount, list);
            if (outer.isEmpty() || !isPermitted(mount, outer.get().value())) {
                dropped.add(mount.path() + " from " + mount.source() + ": "
                        + outer.map(other ->
                                        "a higher layer has " + other.value().source() + " there")
                                .orElse("no mount of a higher layer contains it"));
                return Optional.empty();
            }
            mount = new Mount(
                    mount.path(),
                    weaker(mount.mode(), outer.get().value().mode()),
                    isCopyOf(outer.get().value(), mount) ? new Mount.Source.SessionCopy() : mount.source());
        }
        return Optional.of(new Sourced<>(mount, asked.rank(), asked.origin()));
    }

    private static Optional<Sourced<Mount>> around(Mount mount, List<Sourced<Mount>> list) {
        return list.stream()
                .filter(other -> mount.path().isWithin(other.value().path()))
                .reduce((one, other) -> depth(one) >= depth(other) ? one : other);
    }

    private static Mount.Access weaker(Mount.Access one, Mount.Access other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static boolean isPermitted(Mount inner, Mount outer) {
        return isSameSource(inner, outer) || isCopyOf(outer, inner) || isCopyOf(inner, outer);
    }

    /// Does `copy` show what `original` shows, and write nothing to it? That is less power, whoever asks for it.
    private static boolean isCopyOf(Mount copy, Mount original) {
        return copy.source() instanceof Mount.Source.SessionCopy
                && original.source() instanceof Mount.Source.HostPath(String path)
                && copy.path().equals(original.path())
                && path.equals(original.path().value());
    }

    /// Fresh memory shows nothing of the host, so it may stand anywhere.
    private static boolean isSameSource(Mount inner, Mount outer) {
        return switch (inner.source()) {
            case Mount.Source.Tmpfs _ -> true;
            case Mount.Source.SessionCopy copy -> inner.path().equals(outer.path()) && copy.equals(outer.source());
            case Mount.Source.HostPath(String path) -> {
                var below = inner.path()
                        .value()
                        .substring(
                                outer.path().value().equals("/")
                                        ? 0
                                        : outer.path().value().length());
                yield outer.source() instanceof Mount.Source.HostPath(String base)
                        && path.equals(base.equals("/") ? below : base + below);
            }
        };
    }

    /// A higher layer's mount inside one that is kept keeps covering what it covers.
    private static void keepInner(
            Sourced<Mount> inner, List<Sourced<Mount>> kept, List<List<Sourced<Mount>>> higher, List<String> dropped) {
        boolean isThere = kept.stream()
                .anyMatch(mount -> mount.value().path().equals(inner.value().path()));
        var outer = around(inner.value(), kept);
        if (isThere || outer.isEmpty()) {
            return;
        }
        narrowed(inner, higher, dropped)
                .map(mount -> new Sourced<>(
                        new Mount(
                                mount.value().path(),
                                weaker(mount.value().mode(), outer.get().value().mode()),
                                mount.value().source()),
                        mount.rank(),
                        mount.origin()))
                .ifPresent(kept::add);
    }
}
