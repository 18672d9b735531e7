package dev.cagewright.sandbox.environment;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.DroppedVariable.Asked;
import dev.cagewright.sandbox.environment.DroppedVariable.Reason;
import dev.cagewright.sandbox.environment.EnvironmentRequest.Streams;
import dev.cagewright.sandbox.programs.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The whole environment of a workload, and what was kept from it.
///
/// @param variables sorted by name; exactly what the workload gets
/// @param dropped variables of the caller or of the policy's list that are not in it, sorted by name
public record CageEnvironment(SortedMap<ByteString, ByteString> variables, List<DroppedVariable> dropped) {
    /// The home directory of every workload: a private tmpfs.
    public static final String HOME = "/home/cage";

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
    private static final Pattern USER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    /// What a terminal type, a locale or a time zone may look like; no path that leaves its own folder.
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.,:@+/-]{0,128}");

    private static final Pattern PASSWORD_IN_URL = Pattern.compile("://[^/@\\s]*:[^/@\\s]+@");
    private static final int VALUE_LIMIT = 64 * 1024;

    private static final List<String> FROM_CALLER = List.of(
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_ADDRESS",
            "LC_COLLATE",
            "LC_CTYPE",
            "LC_IDENTIFICATION",
            "LC_MEASUREMENT",
            "LC_MESSAGES",
            "LC_MONETARY",
            "LC_NAME",
            "LC_NUMERIC",
            "LC_PAPER",
            "LC_TELEPHONE",
            "LC_TIME",
            "TZ",
            "NO_COLOR");
    private static final List<String> FROM_CALLER_ON_A_TERMINAL = List.of("TERM", "COLORTERM");

    public CageEnvironment {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        dropped = List.copyOf(dropped);
    }

    /// Composes the environment: fixed variables, the caller's language, time zone and terminal, then the
    /// listed names that are neither refused nor secret.
    public static CageEnvironment compose(EnvironmentRequest request) {
        var variables = fixed(request);
        var dropped = new TreeMap<ByteString, DroppedVariable>();
        plainOnes(request).forEach(name -> copyPlain(request, name, variables, dropped));
        for (String listed : new LinkedHashSet<>(request.listed())) {
            var name = ByteString.of(listed);
            if (variables.containsKey(name) && passesThrough(request, listed)) {
                continue;
            }
            refusal(request, listed)
                    .ifPresentOrElse(
                            reason -> dropped.put(name, new DroppedVariable(name, reason, Asked.BY_THE_POLICY)),
                            () -> variables.put(name, value(request, name)));
        }
        for (ByteString name : request.caller().keySet()) {
            if (!variables.containsKey(name)) {
                dropped.computeIfAbsent(name, CageEnvironment::unasked);
            }
        }
        return new CageEnvironment(variables, List.copyOf(dropped.values()));
    }

    /// The dropped variables that somebody should hear of: those the policy asked for, and secrets.
    public List<DroppedVariable> told() {
        return dropped.stream()
                .filter(one -> one.asked() == Asked.BY_THE_POLICY || one.reason() == Reason.SECRET_NAME)
                .toList();
    }

    /// `name=value` entries in the order of [#variables], as execve(2) wants them, without the NUL.
    public List<ByteString> block() {
        var entries = new ArrayList<ByteString>(variables.size());
        variables.forEach((name, value) -> {
            var entry = new byte[name.size() + 1 + value.size()];
            System.arraycopy(name.toByteArray(), 0, entry, 0, name.size());
            entry[name.size()] = '=';
            System.arraycopy(value.toByteArray(), 0, entry, name.size() + 1, value.size());
            entries.add(ByteString.copyOf(entry));
        });
        return entries;
    }

    private static SortedMap<ByteString, ByteString> fixed(EnvironmentRequest request) {
        var user = USER.matcher(request.user()).matches() ? request.user() : "cage";
        var variables = new TreeMap<ByteString, ByteString>();
        Map.of(
                        "PATH",
                        path(request),
                        "HOME",
                        HOME,
                        "USER",
                        user,
                        "LOGNAME",
                        user,
                        "SHELL",
                        "/bin/sh",
                        "TMPDIR",
                        "/tmp",
                        "CAGEWRIGHT_SESSION",
                        request.session())
                .forEach((name, value) -> variables.put(ByteString.of(name), ByteString.of(value)));
        if (request.streams() == Streams.TERMINAL) {
            variables.put(ByteString.of("TERM"), ByteString.of("xterm"));
        }
        return variables;
    }

    private static String path(EnvironmentRequest request) {
        return Stream.concat(request.path().stream().map(Path::toString), Stream.of(Programs.PATH))
                .collect(Collectors.joining(":"));
    }

    private static List<String> plainOnes(EnvironmentRequest request) {
        var names = new ArrayList<>(FROM_CALLER);
        if (request.streams() == Streams.TERMINAL) {
            names.addAll(FROM_CALLER_ON_A_TERMINAL);
        }
        return names;
    }

    private static boolean passesThrough(EnvironmentRequest request, String name) {
        return plainOnes(request).contains(name);
    }

    private static void copyPlain(
            EnvironmentRequest request,
            String text,
            SortedMap<ByteString, ByteString> variables,
            SortedMap<ByteString, DroppedVariable> dropped) {
        var name = ByteString.of(text);
        var value = request.caller().get(name);
        if (value == null) {
            return;
        }
        if (isPlain(value)) {
            variables.put(name, value);
        } else {
            dropped.put(name, new DroppedVariable(name, Reason.MALFORMED, Asked.BY_NOBODY));
        }
    }

    private static Optional<Reason> refusal(EnvironmentRequest request, String listed) {
        var byName = refusalByName(listed);
        if (byName.isPresent()) {
            return byName;
        }
        var value = request.caller().get(ByteString.of(listed));
        if (value == null) {
            return Optional.of(Reason.NOT_SET);
        }
        if (value.size() > VALUE_LIMIT || value.latin1().startsWith("() {") || isMisshapen(listed, value)) {
            return Optional.of(Reason.MALFORMED);
        }
        if (PASSWORD_IN_URL.matcher(value.latin1()).find()) {
            return Optional.of(Reason.SECRET_VALUE);
        }
        return Optional.empty();
    }

    /// A language or time zone that [#copyPlain] refused must not come back through the list.
    private static boolean isMisshapen(String name, ByteString value) {
        return (FROM_CALLER.contains(name) || FROM_CALLER_ON_A_TERMINAL.contains(name)) && !isPlain(value);
    }

    private static boolean isPlain(ByteString value) {
        return PLAIN.matcher(value.latin1()).matches() && !value.latin1().contains("..");
    }

    private static Optional<Reason> refusalByName(String name) {
        var capitals = name.toUpperCase(Locale.ROOT);
        if (!NAME.matcher(name).matches()) {
            return Optional.of(Reason.MALFORMED);
        }
        if (isFixed(capitals)) {
            return Optional.of(Reason.SET_BY_THE_CAGE);
        }
        if (RefusedVariables.refuse(capitals)) {
            return Optional.of(SecretNames.looksSecret(name) ? Reason.SECRET_NAME : Reason.CHOOSES_CODE);
        }
        return SecretNames.looksSecret(name) ? Optional.of(Reason.SECRET_NAME) : Optional.empty();
    }

    private static boolean isFixed(String capitals) {
        return switch (capitals) {
            case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_" -> true;
            default -> false;
        };
    }

    private static ByteString value(EnvironmentRequest request, ByteString name) {
        var value = request.caller().get(name);
        if (value == null) {
            throw new IllegalStateException("variable " + name + ": unset (expected: checked before)");
        }
        return value;
    }

    private static DroppedVariable unasked(ByteString name) {
        var reason = refusalByName(name.latin1()).orElse(Reason.NOT_LISTED);
        return new DroppedVariable(name, reason, Asked.BY_NOBODY);
    }
}
