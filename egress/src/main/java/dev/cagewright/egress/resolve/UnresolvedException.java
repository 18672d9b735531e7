package dev.cagewright.egress.resolve;

import dev.cagewright.policy.action.HostName;

/// A name has no address, or nobody could be asked. The message is fit for the body of a 502.
public final class UnresolvedException extends Exception {
    private static final long serialVersionUID = 1;

    UnresolvedException(HostName name, String why, Throwable cause) {
        super(name + ": " + why, cause);
    }
}
