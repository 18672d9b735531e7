package dev.cagewright.supervisor.trust;

import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The variables by which programs that do not look at the system's trust stores, or not by default, find the cage's
/// certificate. Those that replace a program's roots name the whole bundle.
final class TrustVariables {
    /// Variables whose file takes the place of all roots.
    private static final List<String> OF_ALL_ROOTS = List.of(
            "SSL_CERT_FILE",
            "NIX_SSL_CERT_FILE",
            "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE",
            "PIP_CERT",
            "AWS_CA_BUNDLE",
            "GIT_SSL_CAINFO",
            "CARGO_HTTP_CAINFO",
            "npm_config_cafile",
            "YARN_HTTPS_CA_FILE_PATH",
            "BUNDLE_SSL_CA_CERT",
            "HTTPLIB2_CA_CERTS",
            "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
            "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE");

    /// Variables whose file is added to the roots.
    private static final List<String> OF_ONE_MORE = List.of("NODE_EXTRA_CA_CERTS", "CODEX_CA_CERTIFICATE", "DENO_CERT");

    private TrustVariables() {}

    static SortedMap<String, String> of(String bundle, String certificate) {
        var all = new TreeMap<String, String>();
        OF_ALL_ROOTS.forEach(name -> all.put(name, bundle));
        OF_ONE_MORE.forEach(name -> all.put(name, certificate));
        all.put("NODE_USE_SYSTEM_CA", "1");
        return all;
    }

    /// `block` with `own` instead of whatever has one of their names; `replaced` hears of those that had.
    static List<ByteString> over(List<ByteString> block, SortedMap<String, String> own, List<String> replaced) {
        var all = new ArrayList<ByteString>();
        for (ByteString entry : block) {
            var text = entry.latin1();
            var name = text.substring(0, Math.max(0, text.indexOf('=')));
            if (own.containsKey(name)) {
                replaced.add(name);
            } else {
                all.add(entry);
            }
        }
        own.forEach((name, value) -> all.add(ByteString.copyOf((name + "=" + value).getBytes(StandardCharsets.UTF_8))));
        return List.copyOf(all);
    }
}
