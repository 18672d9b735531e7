package dev.cagewright.sandbox.files;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;

/// A path that has to lie below a directory has a link in it, or leads elsewhere. Nothing was opened.
public final class LinkInPathException extends IOException {
    private static final long serialVersionUID = 1;

    LinkInPathException(ByteString path, IOException cause) {
        super(path + ": a link is in the way (expected: a path without links)", cause);
    }
}
