package dev.cagewright.cli.scaffold;

import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.supervisor.scaffold.Contact;
import dev.cagewright.supervisor.scaffold.Scaffold;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A scaffold in words: what runs, whom it reaches and why, what it is refused, and what it finds.
final class ScaffoldText {
    private static final int NAME = 30;

    private final List<String> lines = new ArrayList<>();

    private ScaffoldText() {}

    /// Lines to print; nothing in them moves a cursor.
    static List<String> of(Scaffold scaffold) {
        var text = new ScaffoldText();
        text.put("runs", List.of(String.join(" ", words(scaffold))));
        if (!scaffold.install().isEmpty()) {
            text.put("install", List.of(scaffold.install()));
        }
        text.put("reaches", reached(scaffold));
        text.put("sees", mounts(scaffold));
        text.put(
                "refused",
                scaffold.refused().stream()
                        .map(contact -> row(contact.host(), contact.why()))
                        .toList());
        text.put("secrets", secrets(scaffold));
        text.put("lifts", waived(scaffold.policy().document()));
        text.put("prepares", setUp(scaffold.policy().document()));
        text.put(
                "sets",
                new TreeMap<>(scaffold.environment())
                        .entrySet().stream()
                                .map(variable -> variable.getKey() + "=" + variable.getValue())
                                .toList());
        text.put(
                "home",
                scaffold.home().stream().map(ScaffoldText::file).distinct().toList());
        text.put("notes", scaffold.hints());
        return text.lines;
    }

    private static List<String> words(Scaffold scaffold) {
        var words = new ArrayList<String>();
        words.add(scaffold.program());
        words.addAll(scaffold.arguments());
        return words;
    }

    /// The policy says who; the scaffold why.
    private static List<String> reached(Scaffold scaffold) {
        var net = scaffold.policy().document().net();
        var rows = new ArrayList<String>();
        hosts(scaffold.policy().document())
                .forEach(rule -> rows.add(row(name(rule), why(scaffold, rule) + narrowed(rule))));
        net.flatMap(NetSection::registries)
                .orElse(List.of())
                .forEach(tool -> rows.add(row("the registry of " + tool, "packages")));
        if (net.flatMap(NetSection::mode)
                .filter(NetSection.Reach.OBSERVE::equals)
                .isPresent()) {
            rows.add(row("every other host", "its policy watches only (net.mode: observe)"));
        }
        return rows.isEmpty() ? List.of("no host") : rows;
    }

    /// Lent where they are stored, and those without which its policy lets nothing run.
    private static List<String> secrets(Scaffold scaffold) {
        var policys = scaffold.policy().document().credentials().orElse(List.of());
        return Stream.concat(scaffold.secrets().stream(), policys.stream())
                .map(secret -> row(secret.name(), "goes to " + String.join(", ", secret.useWith())))
                .toList();
    }

    private static List<String> waived(PolicyDocument document) {
        return document.fs().map(FsSection::waive).orElse(List.of()).stream()
                .map(group -> row(group, "protected paths that it may change"))
                .toList();
    }

    private static List<String> setUp(PolicyDocument document) {
        return document.phases().stream()
                .map(phases -> String.join(" ", phases.setup().command()))
                .toList();
    }

    private static List<String> mounts(Scaffold scaffold) {
        return scaffold.policy().document().fs().flatMap(fs -> fs.mounts()).orElse(List.of()).stream()
                .map(mount -> row(
                        mount.path().value(),
                        mount.source()
                                        .equals(new Mount.Source.HostPath(
                                                mount.path().value()))
                                ? mount.mode().word()
                                : mount.mode().word() + " from " + mount.source()))
                .toList();
    }

    private static List<HostRule> hosts(PolicyDocument document) {
        return document.net().flatMap(net -> net.hosts()).orElse(List.of());
    }

    private static String name(HostRule rule) {
        return switch (rule.target()) {
            case HostRule.Target.Host(String pattern) -> pattern;
            case HostRule.Target.Alias(String alias) -> alias;
        };
    }

    private static String why(Scaffold scaffold, HostRule rule) {
        return scaffold.contacts().stream()
                .filter(contact -> contact.host().equals(name(rule)))
                .map(Contact::why)
                .findFirst()
                .orElse("its policy allows it; the scaffold does not say why");
    }

    private static String narrowed(HostRule rule) {
        var parts = new ArrayList<String>();
        rule.methods().ifPresent(methods -> parts.add(String.join(", ", methods)));
        rule.paths().ifPresent(paths -> parts.add(String.join(", ", paths)));
        return parts.isEmpty() ? "" : " (" + String.join(" ", parts) + ")";
    }

    private static String file(Scaffold.HomeFile file) {
        return row(
                file.path(),
                switch (file.way()) {
                    case ABSENT -> "put there where it is absent";
                    case REPLACE -> "put there at each start";
                    case MERGE -> "its members are put into what is there";
                });
    }

    private static String row(String name, String words) {
        return String.format(Locale.ROOT, "%-" + NAME + "s  %s", name, words);
    }

    private void put(String label, List<String> rows) {
        var first = Optional.of(label);
        for (String row : rows) {
            lines.add(Visible.text(String.format(Locale.ROOT, "%-9s %s", first.orElse(""), row)));
            first = Optional.empty();
        }
    }
}
