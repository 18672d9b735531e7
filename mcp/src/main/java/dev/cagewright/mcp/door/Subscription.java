package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.offer.Offer.Change.Lists;
import dev.cagewright.mcp.offer.Offer.Listening;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// One `subscriptions/listen` of the stateless version: the client is told what it asked to be told, and nothing else,
/// until it takes the request back. Safe for all threads.
final class Subscription implements Pending {
    private static final int MOST_RESOURCES = 1024;

    private final Message.Request request;
    private final Outbox back;
    private final Set<Lists> lists;
    private final Set<String> resources;
    private final Set<String> followed = new LinkedHashSet<>();
    private final Consumer<String> leaving;
    private final Listening listening;
    private boolean isTold;
    private boolean isOver;

    private Subscription(
            UnderWay underWay, Message.Request request, Wanted wanted, Outbox back, Consumer<String> leaving) {
        this.request = request;
        this.leaving = leaving;
        this.back = back;
        this.lists = wanted.lists();
        this.resources = wanted.resources();
        this.listening = underWay.offer().listen(this::changed);
    }

    /// What a client asks to be told, as far as the offer tells it.
    private record Wanted(Set<Lists> lists, Set<String> resources) {}

    static void open(UnderWay underWay, Message.Request request, Client client, Outbox back) throws RpcException {
        if (!(request.params().members().get("notifications") instanceof JsonObject filter)) {
            throw Refusals.params("\"notifications\" has to say what to listen for");
        }
        var one =
                new Subscription(underWay, request, wanted(underWay, filter), back, uri -> underWay.leave(uri, client));
        try {
            underWay.enter(request, one);
        } catch (RpcException e) {
            one.listening.close();
            throw e;
        }
        one.acknowledge();
        one.resources.forEach(uri -> underWay.follow(uri, client, () -> one.follows(uri)));
    }

    private static Wanted wanted(UnderWay underWay, JsonObject filter) throws RpcException {
        var lists = EnumSet.noneOf(Lists.class);
        for (Lists list : Lists.values()) {
            var isWanted = filter.members().get(Changes.name(list) + "ListChanged");
            if (new JsonBoolean(true).equals(isWanted) && Changes.isOffered(underWay.offer(), list)) {
                lists.add(list);
            }
        }
        var resources = new LinkedHashSet<String>();
        if (filter.members().get("resourceSubscriptions") instanceof JsonArray uris
                && Changes.followsResources(underWay.offer())) {
            for (var uri : uris.items()) {
                if (!(uri instanceof JsonString(String text)) || resources.size() == MOST_RESOURCES) {
                    throw Refusals.params("\"resourceSubscriptions\" are at most %d texts".formatted(MOST_RESOURCES));
                }
                resources.add(text);
            }
        }
        return new Wanted(lists, resources);
    }

    private synchronized void acknowledge() {
        var heard = Json.object();
        lists.forEach(list -> heard.put(Changes.name(list) + "ListChanged", true));
        if (!resources.isEmpty()) {
            heard.put("resourceSubscriptions", Json.of(List.copyOf(resources)));
        }
        back.ask(Frame.of(new Message.Notification(
                "notifications/subscriptions/acknowledged",
                Json.object()
                        .put(Meta.META, meta())
                        .put("notifications", heard.build())
                        .build())));
        isTold = true;
    }

    private JsonObject meta() {
        return Json.object().put(Meta.SUBSCRIPTION, request.id().json()).build();
    }

    private synchronized void changed(Change change) {
        boolean isWanted = switch (change) {
            case Lists list -> lists.contains(list);
            case Change.Resource(String uri) -> resources.contains(uri);
        };
        if (isWanted && isTold && !isOver) {
            back.tell(Frame.of(Changes.notice(change, meta())));
        }
    }

    /// The offer follows it.
    private void follows(String uri) {
        synchronized (this) {
            if (!isOver) {
                followed.add(uri);
                return;
            }
        }
        leaving.accept(uri);
    }

    @Override
    public void cancel() {
        List<String> left;
        synchronized (this) {
            if (isOver) {
                return;
            }
            isOver = true;
            left = List.copyOf(followed);
        }
        listening.close();
        left.forEach(leaving);
        back.noAnswer();
    }
}
