package dev.cagewright.cli.evidence;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.receipt.check.LogAgreement;
import dev.cagewright.supervisor.receipt.check.SessionLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One receipt held to a key and, if there is one, to a log.
record ReceiptCheck(SignedReceipt signed, PinnedKey key, Optional<Path> log) {
    /// What came out.
    ///
    /// @param session as the receipt names it
    /// @param complaints what is wrong, each one sentence; empty when everything holds
    /// @param remarks what was looked at
    record Answer(String session, List<String> complaints, List<String> remarks) {
        boolean holds() {
            return complaints.isEmpty();
        }

        JsonObject toJson() {
            return Json.object()
                    .put("valid", holds())
                    .put("session", session)
                    .put("wrong", complaints)
                    .put("checked", remarks)
                    .build();
        }
    }

    /// @throws IOException if the log cannot be read; that says nothing about the receipt
    Answer run() throws IOException {
        var complaints = new ArrayList<String>();
        var remarks = new ArrayList<String>();
        if (signed.envelope().isSignedBy(key)) {
            remarks.add("signed by " + key.hex());
        } else {
            complaints.add("the signature is not one of key " + key.hex());
        }
        if (log.isPresent()) {
            against(log.get(), complaints, remarks);
        } else {
            remarks.add("not held to a log: name it with --log");
        }
        return new Answer(signed.receipt().run().session(), List.copyOf(complaints), List.copyOf(remarks));
    }

    private void against(Path path, List<String> complaints, List<String> remarks) throws IOException {
        switch (LogVerifier.of(path).verify()) {
            case Verdict.Broken broken ->
                complaints.add("the log is broken: " + (broken.line() == 0 ? "" : "line " + broken.line() + ": ")
                        + broken.reason());
            case Verdict.Intact intact -> {
                var range = signed.receipt().log();
                if (!intact.log().equals(range.id())) {
                    complaints.add(
                            "the log is another one: the receipt is about " + range.id() + ", this is " + intact.log());
                } else if (intact.count() < range.last()) {
                    complaints.add(
                            "the log ends with line " + intact.count() + ", the receipt is about line " + range.last());
                } else {
                    lines(path, complaints, remarks);
                }
            }
        }
    }

    private void lines(Path path, List<String> complaints, List<String> remarks) throws IOException {
        var lines = SessionLines.of(path, signed.receipt());
        var found = LogAgreement.complaints(signed.receipt(), lines);
        complaints.addAll(found);
        var range = signed.receipt().log();
        if (found.isEmpty()) {
            remarks.add("the log agrees, lines " + range.first() + " to " + range.last());
        }
        remarks.add(
                LogAgreement.names(lines, signed.sha256())
                        ? "the log names this receipt"
                        : "the log does not name this receipt");
    }
}
