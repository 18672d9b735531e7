package dev.cagewright.egress.inspect.fetch;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Reads the body of a request to a language model for what has the provider go out in the cage's place: searches,
/// fetched pages, tools on other servers, images and files by their address. By the published request forms of
/// Anthropic, OpenAI, Google, Mistral, xAI, Groq, Cohere and OpenRouter, whatever the host, since many hosts speak
/// them. For one thread at a time.
public final class ProviderFetches {
    private static final List<String> PATH_ENDS = List.of(
            "/messages",
            "/completions",
            "/responses",
            "/interactions",
            "/converse",
            "/converse-stream",
            "/invoke",
            "/invoke-with-response-stream",
            "/conversations",
            "/chat",
            "/agents",
            ":generatecontent",
            ":streamgeneratecontent",
            ":rawpredict",
            ":streamrawpredict");

    private static final List<String> SEARCHES = List.of(
            "web_search", "web-search", "google_search", "x_search", "browser", "openrouter:web", "visit_website");
    private static final List<String> PAGES = List.of("web_fetch", "url_context", "openrouter:web_fetch");
    private static final Set<String> TOOL_LISTS =
            Set.of("tools", "connectors", "enabled_tools", "plugins", "compound_custom");
    private static final Set<String> SEARCH_KEYS = Set.of(
            "google_search",
            "googleSearch",
            "google_search_retrieval",
            "googleSearchRetrieval",
            "enterpriseWebSearch",
            "enterprise_web_search");
    private static final Set<String> PAGE_KEYS = Set.of("url_context", "urlContext");
    private static final Set<String> ADDRESS_KEYS = Set.of(
            "image_url", "imageUrl", "file_url", "document_url", "video_url", "audio_url", "fileUri", "file_uri");

    private final Heard heard;
    private final JsonWalk walk;
    private long at;

    /// Hears what was found.
    @FunctionalInterface
    public interface Heard {
        /// Something has the provider go out.
        ///
        /// @param kind `search`, `page`, `mcp` or `url`
        /// @param at where it stands in the body
        void saw(String kind, long at);
    }

    public ProviderFetches(Heard heard) {
        this.heard = heard;
        this.walk = new JsonWalk(new Rules());
    }

    /// Is this where requests to language models go?
    ///
    /// @param path without a query
    public static boolean isForModels(String path) {
        var small = path.toLowerCase(Locale.ROOT);
        return PATH_ENDS.stream().anyMatch(small::endsWith);
    }

    /// Looks at the next byte of the body.
    public void next(int value) {
        walk.accept(value);
        at++;
    }

    private final class Rules implements JsonWalk.Heard {
        @Override
        public void opened(List<String> path) {
            if (path.isEmpty()) {
                return;
            }
            var key = path.getLast();
            boolean isTool = path.stream().anyMatch(TOOL_LISTS::contains);
            if (key.equals("web_search_options")
                    || key.equals("search_parameters")
                    || (isTool && SEARCH_KEYS.contains(key))) {
                heard.saw("search", at);
            } else if (isTool && PAGE_KEYS.contains(key)) {
                heard.saw("page", at);
            }
        }

        @Override
        public void text(List<String> path, String value) {
            if (path.isEmpty()) {
                return;
            }
            var key = path.getLast();
            if (path.stream().anyMatch(TOOL_LISTS::contains)) {
                tool(key, value);
            }
            if (key.equals("url") && path.contains("mcp_servers")) {
                heard.saw("mcp", at);
            }
            if (key.equals("model") && value.endsWith(":online")) {
                heard.saw("search", at);
            }
            if (isAddress(path, key) && isWeb(value)) {
                heard.saw("url", at);
            }
        }

        private void tool(String key, String value) {
            boolean names = key.equals("type") || key.equals("id") || key.equals("enabled_tools");
            if (key.equals("server_url") || (key.equals("type") && value.equals("mcp"))) {
                heard.saw("mcp", at);
            } else if (names && PAGES.stream().anyMatch(value::startsWith)) {
                heard.saw("page", at);
            } else if (names && (value.equals("web") || SEARCHES.stream().anyMatch(value::startsWith))) {
                heard.saw("search", at);
            }
        }

        private static boolean isAddress(List<String> path, String key) {
            if (ADDRESS_KEYS.contains(key)) {
                return true;
            }
            if (!key.equals("url") || path.size() < 2) {
                return false;
            }
            var around = path.get(path.size() - 2);
            return around.equals("source") || ADDRESS_KEYS.contains(around);
        }

        private static boolean isWeb(String value) {
            var small = value.strip().toLowerCase(Locale.ROOT);
            return small.startsWith("http:") || small.startsWith("https:") || small.startsWith("//");
        }
    }
}
