package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.util.Arrays;
import java.util.List;

/// What is stated about one run, as an in-toto statement, version 1. Its subject is the run: named by its session,
/// with the digest of its lines in the audit log. Immutable.
///
/// @param policy the files that held, widest reach first
public record Receipt(
        RunStated run,
        Product product,
        List<PolicyLayer> policy,
        CageStated cage,
        Decisions decisions,
        ChangesStated changes,
        RunEnd end,
        LogRange log) {
    /// What kind of statement the envelope holds, in-toto attestation framework.
    public static final String STATEMENT = "https://in-toto.io/Statement/v1";

    /// What kind of receipt this is: a name for good, no address.
    public static final String PREDICATE = "tag:cagewright.dev,2026:receipt/v1";

    /// The event of the audit log that names a receipt's digest.
    public static final String NOTE = "receipt";

    private static final String SUBJECT = "session:";

    public Receipt {
        policy = List.copyOf(policy);
    }

    /// The statement's bytes, compact JSON.
    byte[] statement() {
        var subject = Json.object()
                .put("name", SUBJECT + run.session())
                .put("digest", Json.object().put("sha256", log.sha256()).build())
                .build();
        return Json.object()
                .put("_type", STATEMENT)
                .put("subject", new JsonArray(List.of(subject)))
                .put("predicateType", PREDICATE)
                .put("predicate", toJson())
                .build()
                .bytes();
    }

    /// The predicate.
    public JsonObject toJson() {
        return Json.object()
                .put("run", run.toJson())
                .put("product", product.toJson())
                .put(
                        "policy",
                        new JsonArray(policy.stream()
                                .<JsonValue>map(PolicyLayer::toJson)
                                .toList()))
                .put("cage", cage.toJson())
                .put("decisions", decisions.toJson())
                .put("changes", changes.toJson())
                .put("end", end.toJson())
                .put("log", log.toJson())
                .build();
    }

    /// Reads a statement.
    ///
    /// @throws ReceiptSyntaxException if the bytes are not exactly what [#statement] writes for some receipt
    static Receipt parse(byte[] statement) throws ReceiptSyntaxException {
        Receipt receipt;
        try {
            receipt = read(Json.parse(statement));
        } catch (JsonSyntaxException e) {
            throw new ReceiptSyntaxException("statement: " + e.getMessage(), e);
        }
        if (!Arrays.equals(receipt.statement(), statement)) {
            throw new ReceiptSyntaxException(
                    "statement: is spelled in another way than receipts are, or its subject is not its run");
        }
        return receipt;
    }

    private static Receipt read(JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of("statement", json);
        expect("statement._type", members.text("_type"), STATEMENT);
        expect("statement.predicateType", members.text("predicateType"), PREDICATE);
        members.list("subject", Members::of);
        var receipt = members.value("predicate", (_, predicate) -> predicate(predicate));
        members.end();
        return receipt;
    }

    private static void expect(String where, String found, String expected) throws ReceiptSyntaxException {
        if (!found.equals(expected)) {
            throw new ReceiptSyntaxException(where + ": is not " + expected);
        }
    }

    private static Receipt predicate(JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of("receipt", json);
        var receipt = new Receipt(
                members.value("run", RunStated::read),
                members.value("product", Product::read),
                members.list("policy", PolicyLayer::read),
                members.value("cage", CageStated::read),
                members.value("decisions", Decisions::read),
                members.value("changes", ChangesStated::read),
                members.value("end", RunEnd::read),
                members.value("log", LogRange::read));
        members.end();
        return receipt;
    }
}
