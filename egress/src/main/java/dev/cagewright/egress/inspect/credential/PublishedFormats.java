package dev.cagewright.egress.inspect.credential;

import java.util.List;

/// The credentials that are known, each as its vendor has published its form; docs/inspect.md names the pages.
final class PublishedFormats {
    private static final String WORD = "A-Za-z0-9_-";

    static final List<Format> ALL = List.of(
            // clouds
            Format.of("aws_access_key", "AKIA ASIA ABIA ACCA", "A-Z0-9{16}").word(),
            Format.of(
                    "aws_secret_key",
                    "aws_secret_access_key AWS_SECRET_ACCESS_KEY SecretAccessKey secretAccessKey"
                            + " aws_secret_key AWS_SECRET_KEY",
                    "\"':=,>\\\\\\s{1,12} A-Za-z0-9/+{40}"),
            Format.of("google_api_key", "AIza", WORD + "{35}"),
            Format.of("google_oauth_secret", "GOCSPX-", WORD + "{28}"),
            Format.of("google_oauth_token", "ya29.", WORD + "{40,}").word(),
            Format.of("azure_storage_key", "AccountKey=", "A-Za-z0-9/+{86} ={2,}"),
            Format.of("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", "a-f0-9{64}"),
            Format.of("heroku_key", "HRKU-AA", WORD + "{58}"),
            Format.of("databricks_token", "dapi", "a-f0-9{32}").word(),
            // code and packages
            Format.of("github_token", "ghp_ gho_ ghu_ ghr_", "A-Za-z0-9{36}").checked(),
            Format.of("github_app_token", "ghs_", "A-Za-z0-9_.-{36,}"),
            Format.of("github_fine_grained_token", "github_pat_", "A-Za-z0-9{22} _{1} A-Za-z0-9{59}"),
            Format.of(
                    "gitlab_token",
                    "glpat- gloas- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glffct-",
                    WORD + "{20,}"),
            Format.of("npm_token", "npm_", "A-Za-z0-9{36}").checked(),
            Format.of("pypi_token", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", WORD + "{50,}"),
            Format.of("rubygems_key", "rubygems_", "a-f0-9{48}"),
            Format.of("crates_token", "cio", "A-Za-z0-9{32}").word(),
            Format.of("docker_token", "dckr_pat_ dckr_oat_", WORD + "{27,}"),
            Format.of("atlassian_token", "ATATT3xFfGF0 ATCTT3xFfGN0", "A-Za-z0-9_=-{60,}"),
            Format.of("postman_key", "PMAK-", "a-f0-9{24} -{1} a-f0-9{34}"),
            // models
            Format.of("anthropic_key", "sk-ant-", WORD + "{32,}"),
            Format.of("openai_key", "sk-proj- sk-svcacct- sk-admin-", WORD + "{40,}")
                    .word(),
            Format.of("openai_legacy_key", "sk-", "A-Za-z0-9{48}").word(),
            Format.of("openrouter_key", "sk-or-v1-", "a-f0-9{64}").word(),
            Format.of("huggingface_token", "hf_", "A-Za-z0-9{34}").word(),
            Format.of("groq_key", "gsk_", "A-Za-z0-9{52}").word(),
            Format.of("xai_key", "xai-", "A-Za-z0-9{80}").word(),
            Format.of("perplexity_key", "pplx-", "A-Za-z0-9{48,}").word(),
            Format.of("replicate_token", "r8_", "A-Za-z0-9{37}").word(),
            // services
            Format.of("slack_token", "xoxb- xoxp- xoxa- xoxr- xoxs- xapp- xwfp-", "A-Za-z0-9-{24,}"),
            Format.of(
                    "slack_webhook",
                    "hooks.slack.com/services/ hooks.slack.com\\/services\\/",
                    "A-Z0-9{9,12} \\\\/{1,2} A-Z0-9{9,12} \\\\/{1,2} A-Za-z0-9{24}"),
            Format.of("stripe_key", "sk_live_ rk_live_ sk_test_ rk_test_", "A-Za-z0-9{24,}"),
            Format.of("stripe_webhook_secret", "whsec_", "A-Za-z0-9+/{32,}"),
            Format.of("shopify_token", "shpat_ shpca_ shppa_ shpss_", "A-Fa-f0-9{32}"),
            Format.of("square_token", "sq0atp-", WORD + "{22}"),
            Format.of("square_secret", "sq0csp-", WORD + "{43}"),
            Format.of("sendgrid_key", "SG.", WORD + "{22} .{1} " + WORD + "{43}")
                    .word(),
            Format.of("newrelic_key", "NRAK-", "A-Z0-9{27}"),
            Format.of("grafana_token", "glsa_", "A-Za-z0-9{32} _{1} A-Fa-f0-9{8}"),
            Format.of("grafana_cloud_token", "glc_", "A-Za-z0-9+/=_-{32,}").word(),
            Format.of("sentry_token", "sntrys_ sntryu_", "A-Za-z0-9+/=_-{40,}"),
            Format.of("linear_key", "lin_api_ lin_oauth_", "A-Za-z0-9{40,}"),
            Format.of("notion_token", "ntn_", "A-Za-z0-9{40,}").word(),
            Format.of("planetscale_token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "A-Za-z0-9_.-{32,}"),
            Format.of("doppler_token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "A-Za-z0-9._-{40,}")
                    .word(),
            Format.of("supabase_key", "sbp_ sb_secret_", "A-Za-z0-9_-{30,}").word(),
            Format.of("vault_token", "hvs. hvb. hvr.", WORD + "{24,}").word(),
            Format.of("terraform_token", ".atlasv1.", "A-Za-z0-9_=-{60,}"),
            Format.of("onepassword_token", "ops_eyJ", "A-Za-z0-9+/=_-{200,}").word(),
            // keys
            Format.of("age_key", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L{58}"),
            Format.ofAny(
                    "private_key",
                    List.of(
                            "-----BEGIN PRIVATE KEY-----",
                            "-----BEGIN ENCRYPTED PRIVATE KEY-----",
                            "-----BEGIN RSA PRIVATE KEY-----",
                            "-----BEGIN EC PRIVATE KEY-----",
                            "-----BEGIN DSA PRIVATE KEY-----",
                            "-----BEGIN OPENSSH PRIVATE KEY-----"),
                    "\\\\nr\\s{1,4} A-Za-z0-9/+{40,}"),
            Format.ofAny(
                    "pgp_private_key",
                    List.of("-----BEGIN PGP PRIVATE KEY BLOCK-----"),
                    "\\\\nr\\s{1,4} A-Za-z0-9+/=:{8,}"));

    static final FormatSet SET = FormatSet.of(ALL);

    private PublishedFormats() {}
}
