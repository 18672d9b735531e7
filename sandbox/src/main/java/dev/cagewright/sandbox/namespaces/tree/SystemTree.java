package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.CageSpec.NetAccess;
import dev.cagewright.sandbox.kernel.HostFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What every cage sees of the system: programs and their configuration read-only, nothing of the
/// administrator's, and private places for what programs write.
final class SystemTree {
    private static final List<String> MERGED = List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");
    private static final List<String> READ_ONLY = List.of("/usr", "/etc", "/opt", "/nix/store", "/gnu/store");
    private static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom", "tty");

    /// Secrets of the machine and of its administrator. Most are unreadable anyway; a user with more
    /// groups must not bring them in.
    private static final List<Entry> HIDDEN = Stream.of(
                    "/etc/shadow",
                    "/etc/shadow-",
                    "/etc/gshadow",
                    "/etc/gshadow-",
                    "/etc/sudoers",
                    "/etc/sudoers.d",
                    "/etc/ssl/private",
                    "/etc/pki/tls/private",
                    "/etc/krb5.keytab",
                    "/etc/NetworkManager/system-connections",
                    "/etc/wpa_supplicant",
                    "/etc/wireguard",
                    "/etc/openvpn",
                    "/etc/docker",
                    "/etc/containers/auth.json",
                    "/etc/kubernetes",
                    "/etc/rancher",
                    "/etc/letsencrypt",
                    "/etc/cagewright",
                    "/etc/ssh/ssh_host_rsa_key",
                    "/etc/ssh/ssh_host_dsa_key",
                    "/etc/ssh/ssh_host_ecdsa_key",
                    "/etc/ssh/ssh_host_ed25519_key")
            .map(path -> Entry.at(Entry.Kind.HIDE, path))
            .toList();

    private static final String CELL_ADDRESS = "198.18.0.1";
    private static final int PRIVATE = 0700;
    private static final int SHARED = 01777;

    private final List<Entry> entries = new ArrayList<>();

    private SystemTree() {}

    static List<Entry> entries(CageUser user, String hostname, NetAccess access) {
        var tree = new SystemTree();
        tree.addPrograms();
        tree.addPlaces();
        tree.addDevices();
        tree.addNames(user, hostname);
        tree.addResolving(access);
        tree.entries.addAll(HIDDEN);
        return List.copyOf(tree.entries);
    }

    private void addPrograms() {
        for (var path : READ_ONLY) {
            addReadOnly(path);
        }
        for (var name : MERGED) {
            linkText("/" + name)
                    .ifPresentOrElse(text -> entries.add(Entry.link("/" + name, text)), () -> addReadOnly("/" + name));
        }
    }

    private void addReadOnly(String path) {
        var name = ByteString.of(path);
        entries.add(Entry.bind(name, name, Entry.OPTIONAL, Optional.empty()));
    }

    private static Optional<ByteString> linkText(String path) {
        return HostFiles.linkIfAny(ByteString.of(path));
    }

    private void addPlaces() {
        entries.add(Entry.scratch("/tmp", SHARED));
        entries.add(Entry.scratch("/home/cage", PRIVATE));
        entries.add(Entry.at(Entry.Kind.DIRECTORY, "/run"));
        entries.add(Entry.at(Entry.Kind.DIRECTORY, "/var"));
        entries.add(Entry.link("/var/tmp", ByteString.of("../tmp")));
        entries.add(Entry.link("/var/run", ByteString.of("../run")));
        entries.add(Entry.at(Entry.Kind.PROC, "/proc"));
    }

    private void addDevices() {
        for (var device : DEVICES) {
            var path = ByteString.of("/dev/" + device);
            entries.add(Entry.bind(path, path, Entry.DEVICE | Entry.OPTIONAL, Optional.empty()));
        }
        entries.add(Entry.at(Entry.Kind.TERMINALS, "/dev/pts"));
        entries.add(Entry.scratch("/dev/shm", SHARED));
        entries.add(Entry.link("/dev/ptmx", ByteString.of("pts/ptmx")));
        entries.add(Entry.link("/dev/fd", ByteString.of("/proc/self/fd")));
        entries.add(Entry.link("/dev/stdin", ByteString.of("/proc/self/fd/0")));
        entries.add(Entry.link("/dev/stdout", ByteString.of("/proc/self/fd/1")));
        entries.add(Entry.link("/dev/stderr", ByteString.of("/proc/self/fd/2")));
    }

    /// The cage knows one user, one machine name and one name server, its own.
    private void addNames(CageUser user, String hostname) {
        replace(
                "/etc/passwd",
                "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n"
                        + "cage:x:" + user.uid() + ":" + user.gid() + ":cage:/home/cage:/bin/sh\n"
                        + "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
        replace("/etc/group", "root:x:0:\ncage:x:" + user.gid() + ":\nnogroup:x:65534:\n");
        replace(
                "/etc/hosts",
                "127.0.0.1 localhost\n127.0.1.1 " + hostname + "\n::1 localhost ip6-localhost ip6-loopback\n");
        replace("/etc/hostname", hostname + "\n");
    }

    /// Questions go to the cell, by UDP and by TCP, at an address of `raise_loopback` in `network.c`; without
    /// a cell to where nothing listens, so that they fail at once.
    private void addResolving(NetAccess access) {
        var server = switch (access) {
            case NONE -> "127.0.0.1";
            case REQUESTED -> CELL_ADDRESS;
        };
        replace("/etc/resolv.conf", "nameserver " + server + "\n");
        replace("/etc/nsswitch.conf", """
                passwd: files
                group: files
                shadow: files
                hosts: files dns
                networks: files
                protocols: files
                services: files
                ethers: files
                rpc: files
                """);
    }

    /// Covers the file, or, where it is a link to below `/run`, makes what the link leads to.
    private void replace(String path, String content) {
        var text = linkText(path).map(ByteString::latin1).orElse("");
        int run = text.indexOf("/run/");
        if (run >= 0) {
            entries.add(Entry.content(Entry.Kind.FILE, text.substring(run), content));
        } else {
            entries.add(Entry.content(Entry.Kind.REPLACE, path, content));
        }
    }
}
