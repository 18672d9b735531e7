package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;

/// A receipt in its envelope. That it parses says nothing about who signed it. Immutable.
public record SignedReceipt(Receipt receipt, Envelope envelope) {
    /// Signs `receipt`.
    ///
    /// @param open the public half of `key`
    /// @throws IllegalArgumentException if the two are not halves of one key
    public static SignedReceipt sign(Receipt receipt, SigningKey key, PinnedKey open) {
        return new SignedReceipt(receipt, Envelope.sign(receipt.statement(), key, open));
    }

    /// Reads a receipt's file.
    ///
    /// @throws ReceiptSyntaxException if it is not exactly one receipt in its one spelling
    public static SignedReceipt parse(byte[] file) throws ReceiptSyntaxException {
        var envelope = Envelope.parse(file);
        return new SignedReceipt(Receipt.parse(envelope.payload().toByteArray()), envelope);
    }

    /// The file's bytes.
    public byte[] bytes() {
        return envelope.bytes();
    }

    /// The digest of the file's bytes, which the audit log names.
    public String sha256() {
        return Sha256.of(bytes());
    }
}
