package dev.cagewright.supervisor.signing;

import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Settings of git in a cage's variables (git-config(1), `GIT_CONFIG_COUNT`), behind those that are there.
///
/// @param settings values by their names
record GitSettings(Map<String, String> settings) {
    private static final Pattern COUNT = Pattern.compile("GIT_CONFIG_COUNT=(\\d{1,4})");

    GitSettings {
        settings = new LinkedHashMap<>(settings);
    }

    /// Commits and tags are signed with this key, which an agent has.
    ///
    /// @param key its public half, in one line
    static GitSettings signing(String key) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("gpg.format", "ssh");
        settings.put("user.signingKey", "key::" + key);
        settings.put("commit.gpgSign", "true");
        settings.put("tag.gpgSign", "true");
        return new GitSettings(settings);
    }

    /// `block`, entries of `name=value`, with the settings.
    List<ByteString> over(List<ByteString> block) {
        var all = new ArrayList<>(block);
        int count = 0;
        for (ByteString entry : block) {
            var matcher = COUNT.matcher(entry.latin1());
            if (matcher.matches()) {
                count = Integer.parseInt(matcher.group(1));
                all.remove(entry);
            }
        }
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            all.add(ByteString.of("GIT_CONFIG_KEY_" + count + "=" + setting.getKey()));
            all.add(ByteString.of("GIT_CONFIG_VALUE_" + count + "=" + setting.getValue()));
            count++;
        }
        all.add(ByteString.of("GIT_CONFIG_COUNT=" + count));
        return all;
    }
}
