package dev.cagewright.sandbox.environment;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Does a variable's name say that it holds a secret? Judged by whole words, so `KEYBOARD`, `AUTHOR` and
/// `TOKENIZERS_PARALLELISM` pass while `NPM_authToken` and `PGPASSWORD` do not. A guess by design: it errs
/// towards leaving a variable out, which is told.
public final class SecretNames {
    private static final Pattern WORD_BORDER = Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])");

    private static final Set<String> WORDS = Set.of(
            "KEY",
            "KEYS",
            "APIKEY",
            "APIKEYS",
            "TOKEN",
            "TOKENS",
            "SECRET",
            "SECRETS",
            "PASSWORD",
            "PASSWORDS",
            "PASSWD",
            "PASSPHRASE",
            "PASS",
            "PW",
            "CREDENTIAL",
            "CREDENTIALS",
            "CREDS",
            "CRED",
            "AUTH",
            "AUTHORIZATION",
            "OAUTH",
            "BEARER",
            "COOKIE",
            "COOKIES",
            "JWT",
            "PAT",
            "DSN",
            "WEBHOOK",
            "PIN",
            "OTP",
            "TOTP",
            "LICENSE",
            "SALT",
            "HMAC");

    private static final List<String> ENDINGS =
            List.of("TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY", "ACCESSKEY", "PRIVATEKEY", "CREDENTIALS");

    /// Names that hold a secret, or the way to one, without saying so.
    private static final Set<String> KNOWN = Set.of(
            "DATABASE_URL",
            "REDIS_URL",
            "MONGODB_URI",
            "MONGO_URL",
            "AMQP_URL",
            "RABBITMQ_URL",
            "POSTGRES_URL",
            "MYSQL_PWD",
            "MYSQL_URL",
            "CONNECTION_STRING",
            "KUBECONFIG",
            "NETRC",
            "PGPASSFILE",
            "PGSERVICEFILE",
            "AWS_PROFILE",
            "AWS_SHARED_CREDENTIALS_FILE",
            "AWS_CONFIG_FILE",
            "CLOUDSDK_CONFIG",
            "AZURE_CONFIG_DIR",
            "GNUPGHOME",
            "GPG_AGENT_INFO",
            "VAULT_ADDR");

    private SecretNames() {}

    /// Is `name` one of those?
    public static boolean looksSecret(String name) {
        var capitals = name.toUpperCase(Locale.ROOT);
        if (KNOWN.contains(capitals) || capitals.endsWith("CONNECTION_STRING")) {
            return true;
        }
        for (String word : WORD_BORDER.split(name, -1)) {
            var capital = word.toUpperCase(Locale.ROOT);
            if (WORDS.contains(capital) || ENDINGS.stream().anyMatch(capital::endsWith)) {
                return true;
            }
        }
        return false;
    }
}
