package dev.cagewright.egress.upstream;

import io.netty.channel.ConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;

/// Failures in the words of whoever failed.
public final class Causes {
    private static final int DEEPEST = 12;

    private Causes() {}

    /// One line, without what libraries put around it.
    public static String words(Throwable failure) {
        var told = failure;
        var cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof CertificateException
                    || cause instanceof CertPathValidatorException
                    || (cause instanceof SSLHandshakeException && !(told instanceof CertificateException))) {
                told = cause;
            }
            cause = cause.getCause();
        }
        return switch (told) {
            case ConnectTimeoutException _ -> "no answer in time";
            case ClosedChannelException _ -> "the connection was closed";
            default -> line(told);
        };
    }

    private static String line(Throwable failure) {
        var message = failure.getMessage();
        var text = message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
        return text.lines().findFirst().orElse("").replaceAll("[^ -~]", "?");
    }
}
