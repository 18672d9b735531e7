package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/// Which build of the product ran the cage.
///
/// @param helperSha256 of the program that builds cages and is the first process in each; empty when it is not known
public record Product(String version, String helperSha256) {
    /// This build.
    public static Product own() {
        var version = Optional.ofNullable(Product.class.getModule().getDescriptor())
                .flatMap(module -> module.rawVersion())
                .orElse("0.1.0");
        return new Product(version, helper());
    }

    private static String helper() {
        var architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        var name =
                "/native/linux-" + (architecture.equals("amd64") ? "x86_64" : architecture) + "/cagewright-init.sha256";
        try (var stream = NamespacesRuntime.class.getResourceAsStream(name)) {
            return stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException _) {
            return "";
        }
    }

    JsonObject toJson() {
        return Json.object()
                .put("version", version)
                .put("helper_sha256", helperSha256)
                .build();
    }

    static Product read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var product = new Product(members.text("version"), members.digestOrEmpty("helper_sha256"));
        members.end();
        return product;
    }
}
