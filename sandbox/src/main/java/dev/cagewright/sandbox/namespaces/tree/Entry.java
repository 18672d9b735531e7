package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.HostDirectory;
import java.util.Optional;

/// One step of building a cage's file tree; the mirror of `struct entry` in `cage.h`.
///
/// @param target absolute, as seen in the cage
/// @param source a host path, a link's text or a file's content, as the kind has it
/// @param identity the object that must stand at the source
/// @param size bytes of a tmpfs, permissions of a scratch directory
public record Entry(
        Kind kind,
        int flags,
        ByteString target,
        ByteString source,
        Optional<HostDirectory.Identity> identity,
        long size) {
    static final int WRITABLE = 1;
    static final int DEVICE = 2;
    static final int OPTIONAL = 4;
    static final int IDMAP = 8;

    private static final ByteString NOTHING = ByteString.of("");

    public enum Kind {
        DIRECTORY(1),
        LINK(2),
        FILE(3),
        BIND(4),
        SCRATCH(5),
        TMPFS(6),
        REPLACE(7),
        HIDE(8),
        MASK_READ_ONLY(9),
        MASK_HIDDEN(10),
        PIN(11),
        PROC(12),
        TERMINALS(13),
        LAYERS(14),
        OVERLAY(15),
        MASK_LINK(16);

        /// In `enum entry_kind`.
        private final int number;

        Kind(int number) {
            this.number = number;
        }
    }

    static Entry at(Kind kind, ByteString target) {
        return new Entry(kind, 0, target, NOTHING, Optional.empty(), 0);
    }

    static Entry at(Kind kind, String target) {
        return at(kind, ByteString.of(target));
    }

    static Entry link(String target, ByteString text) {
        return new Entry(Kind.LINK, 0, ByteString.of(target), text, Optional.empty(), 0);
    }

    static Entry maskedByLink(ByteString target, ByteString text) {
        return new Entry(Kind.MASK_LINK, 0, target, text, Optional.empty(), 0);
    }

    static Entry content(Kind kind, String target, String content) {
        return new Entry(kind, 0, ByteString.of(target), ByteString.of(content), Optional.empty(), 0);
    }

    static Entry scratch(String target, int permissions) {
        return new Entry(Kind.SCRATCH, WRITABLE, ByteString.of(target), NOTHING, Optional.empty(), permissions);
    }

    static Entry bind(ByteString target, ByteString source, int flags, Optional<HostDirectory.Identity> identity) {
        return new Entry(Kind.BIND, flags, target, source, identity, 0);
    }

    Entry as(Kind other, int changed) {
        return new Entry(other, changed, target, source, identity, size);
    }

    /// Does its source stand on the host?
    boolean isOfTheHost() {
        return kind == Kind.BIND || kind == Kind.LAYERS || kind == Kind.OVERLAY;
    }

    /// How many names its target has.
    int depth() {
        int names = 0;
        for (int i = 0; i < target.size(); i++) {
            names += target.at(i) == '/' ? 1 : 0;
        }
        return target.size() == 1 ? 0 : names;
    }

    /// Is its target `tree` or below it?
    boolean isWithin(ByteString tree) {
        int size = tree.size();
        if (target.size() < size || (target.size() > size && target.at(size) != '/')) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (target.at(i) != tree.at(i)) {
                return false;
            }
        }
        return true;
    }

    public void writeTo(Payload payload) {
        payload.number(kind.number)
                .number(flags)
                .size(identity.map(HostDirectory.Identity::device).orElse(0L))
                .size(identity.map(HostDirectory.Identity::inode).orElse(0L))
                .size(size)
                .number(identity.map(HostDirectory.Identity::owner).orElse(0))
                .number(identity.map(HostDirectory.Identity::group).orElse(0))
                .text(target)
                .text(source);
    }
}
