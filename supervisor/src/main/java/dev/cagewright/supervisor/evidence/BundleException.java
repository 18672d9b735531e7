package dev.cagewright.supervisor.evidence;

/// A file that is no bundle as this product writes it. The message is one sentence without a full stop, without the
/// file's name.
public final class BundleException extends Exception {
    private static final long serialVersionUID = 1;

    BundleException(String message) {
        super(message);
    }

    BundleException(String message, Throwable cause) {
        super(message, cause);
    }
}
