package dev.cagewright.supervisor.receipt;

/// Bytes that are not a receipt as this product writes it. The message names the place and what belongs there.
public final class ReceiptSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    ReceiptSyntaxException(String message) {
        super(message);
    }

    ReceiptSyntaxException(String message, Throwable cause) {
        super(message, cause);
    }
}
