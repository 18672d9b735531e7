package dev.cagewright.cli.demo.attack;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Joins what was tried with what the product knows of it.
final class Timeline {
    private static final Set<String> HARMLESS = Set.of("refused", "nothing");

    private final List<Play> plays;
    private final Map<String, HostCheck> checks;

    /// One line of it.
    ///
    /// @param said what the program says of it; the word is empty where it did not live to say anything
    /// @param record where it stands, or why nowhere; empty when it should stand somewhere and does not
    /// @param held did it come to nothing, with that evidence?
    record Row(Attempt attempt, Play.Saying said, String session, Optional<String> record, boolean held) {}

    Timeline(List<Play> plays, List<HostCheck> checks) {
        this.plays = plays;
        this.checks = checks.stream().collect(Collectors.toMap(HostCheck::id, check -> check));
    }

    List<Row> rows(List<Attempt> attempts) {
        return attempts.stream().map(this::row).toList();
    }

    private Row row(Attempt attempt) {
        var play = plays.stream()
                .filter(one -> one.said().containsKey(attempt.id()))
                .findFirst()
                .or(() -> silent(attempt));
        var said = play.map(one -> one.said().get(attempt.id())).orElse(new Play.Saying("", ""));
        var record = play.flatMap(one -> found(one, attempt.evidence()));
        boolean held = record.isPresent() && isHarmless(said.word(), attempt.evidence());
        return new Row(attempt, said, play.map(Play::session).orElse(""), record, held);
    }

    /// A run that was ended before the program could say how it went.
    private Optional<Play> silent(Attempt attempt) {
        return switch (attempt.evidence()) {
            case Evidence.Ended _, Evidence.Limit _ ->
                plays.stream()
                        .filter(play -> play.said().isEmpty()
                                && found(play, attempt.evidence()).isPresent())
                        .findFirst();
            default -> Optional.empty();
        };
    }

    private static boolean isHarmless(String word, Evidence evidence) {
        return switch (evidence) {
            case Evidence.Decided(String decision, String _) when decision.equals("allow") -> word.equals("left");
            case Evidence.Decided _, Evidence.Stopped _, Evidence.Noted _ -> HARMLESS.contains(word);
            case Evidence.Limit _ -> HARMLESS.contains(word) || word.isEmpty();
            case Evidence.Ended _ -> !word.equals("got");
            case Evidence.Told _, Evidence.Cut _, Evidence.Host _ -> word.equals("left");
            case Evidence.Silent _ -> HARMLESS.contains(word) || word.equals("left");
        };
    }

    private Optional<String> found(Play play, Evidence evidence) {
        return switch (evidence) {
            case Evidence.Decided(String word, String marker) -> decided(play, word, marker);
            case Evidence.Stopped(String why) -> stopped(play, why);
            case Evidence.Noted(String target) -> noted(play, target);
            case Evidence.Told(String path) ->
                play.listed("afterwards").stream()
                        .filter(finding -> finding.write().contains(path))
                        .map(_ -> "told after the run")
                        .findFirst();
            case Evidence.Limit(String name) ->
                play.listed("enforced").stream()
                        .map(JsonObject.class::cast)
                        .filter(limit -> limit.text("limit").orElse("").equals(name))
                        .map(limit -> "limit: " + limit.text("value").orElse("") + ", "
                                + limit.text("mechanism").orElse(""))
                        .findFirst();
            case Evidence.Ended(String cause) ->
                play.result().text("cause").filter(cause::equals).map(word -> "the run ended, outcome: " + word);
            case Evidence.Cut() ->
                Optional.of(play.result().toString())
                        .filter(_ -> play.result()
                                .member("truncated")
                                .map(JsonValue::write)
                                .orElse("")
                                .equals("true"))
                        .map(_ -> "output cut, outcome: truncated");
            case Evidence.Host(String check) ->
                Optional.ofNullable(checks.get(check)).filter(HostCheck::isGood).map(HostCheck::what);
            case Evidence.Silent(String why) -> Optional.of("no event: " + why);
        };
    }

    private static Optional<String> decided(Play play, String word, String marker) {
        return play.events().stream()
                .filter(event -> event.text("decision").orElse("").equals(word))
                .filter(event -> action(event).write().contains(marker))
                .reduce((_, last) -> last)
                .map(event -> (word.equals("deny") ? "denied " : "allowed ")
                        + event.text("id").orElse("") + " " + rules(event));
    }

    private static Optional<String> stopped(Play play, String why) {
        return play.events().stream()
                .filter(event -> detail(event).text("why").orElse("").equals(why))
                .map(event -> "stopped " + event.text("id").orElse("") + " " + why)
                .findFirst();
    }

    private static Optional<String> noted(Play play, String target) {
        return play.events().stream()
                .filter(event -> action(event).text("name").orElse("").equals("net.refused"))
                .map(Timeline::detail)
                .filter(detail -> detail.text("target").orElse("").contains(target))
                .map(detail -> "noted: " + detail.text("why").orElse(""))
                .findFirst();
    }

    private static JsonObject action(JsonObject event) {
        return event.member("action").map(JsonObject.class::cast).orElse(JsonObject.EMPTY);
    }

    private static JsonObject detail(JsonObject event) {
        return event.member("detail").map(JsonObject.class::cast).orElse(JsonObject.EMPTY);
    }

    private static String rules(JsonObject event) {
        return event.member("rules").map(JsonArray.class::cast).map(JsonArray::items).orElse(List.of()).stream()
                .map(rule -> ((JsonString) rule).value())
                .reduce((_, last) -> last)
                .orElse("");
    }
}
