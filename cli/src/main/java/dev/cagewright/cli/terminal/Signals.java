package dev.cagewright.cli.terminal;

import dev.cagewright.sandbox.terminal.JobControl;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// Catches the signals that a person or a service manager sends to the wrapper and hands them on, so that
/// the program in the cage decides what they mean. Restores the handlers from before on close.
///
/// By reflection on `sun.misc.Signal` (module jdk.unsupported, kept by JEP 260): the JDK has no other way,
/// and naming the type is a warning that no option turns off.
public final class Signals implements AutoCloseable {
    /// Those that ask a program to end and that the JVM does not need for itself, by number (signal(7)).
    private static final List<Known> FORWARDED =
            List.of(new Known("HUP", 1), new Known("INT", 2), new Known("TERM", 15));

    private static final Known RESIZED = new Known("WINCH", 28);
    private static final Known STOP = new Known("TSTP", 20);
    private static final Known GO_ON = new Known("CONT", 18);

    private final List<Restored> before = new ArrayList<>();
    private final SignalApi api;

    private record Known(String name, int number) {}

    private record Restored(Object signal, Object handler) {}

    private Signals(SignalApi api) {
        this.api = api;
    }

    /// What to do about a terminal's job control.
    ///
    /// @param stop somebody wants this process to stop; without it, it does
    /// @param goOn it was stopped and goes on
    public record Job(Consumer<Signals> stop, Runnable goOn) {}

    /// Like [#handOn(IntConsumer, Runnable)], with what `job` has for TSTP and CONT.
    public static Signals handOn(IntConsumer forward, Runnable resized, Job job) {
        var signals = handOn(forward, resized);
        signals.handle(STOP.name(), () -> job.stop().accept(signals));
        signals.handle(GO_ON.name(), job.goOn());
        return signals;
    }

    /// Calls `forward` with the signal's number for each HUP, INT and TERM, and `resized` for each WINCH, on
    /// a thread of the JVM's.
    public static Signals handOn(IntConsumer forward, Runnable resized) {
        var signals = new Signals(SignalApi.find());
        for (Known signal : FORWARDED) {
            signals.handle(signal.name(), () -> forward.accept(signal.number()));
        }
        signals.handle(RESIZED.name(), resized);
        return signals;
    }

    /// Stops this process, with its group, as without a handler, and returns when it goes on.
    public synchronized void suspend() {
        var signal = api.signal(STOP.name());
        before.stream()
                .filter(restored -> restored.signal().equals(signal))
                .findFirst()
                .ifPresent(restored -> {
                    var mine = api.handle(signal, restored.handler());
                    JobControl.suspend();
                    api.handle(signal, mine);
                });
    }

    private void handle(String name, Runnable action) {
        var signal = api.signal(name);
        before.add(new Restored(signal, api.handle(signal, api.handler(action))));
    }

    @Override
    public synchronized void close() {
        before.forEach(restored -> api.handle(restored.signal(), restored.handler()));
        before.clear();
    }

    private record SignalApi(Class<?> signalType, Class<?> handlerType, Method handle) {
        static SignalApi find() {
            try {
                var signal = Class.forName("sun.misc.Signal");
                var handler = Class.forName("sun.misc.SignalHandler");
                return new SignalApi(signal, handler, signal.getMethod("handle", signal, handler));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this JDK has no sun.misc.Signal (expected: JDK 25)", e);
            }
        }

        Object signal(String name) {
            try {
                return signalType.getConstructor(String.class).newInstance(name);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("signal " + name + " is unknown to this JVM", e);
            }
        }

        @SuppressWarnings("ReferenceEquality") // a proxy is equal to itself only
        Object handler(Runnable action) {
            return Proxy.newProxyInstance(
                    Signals.class.getClassLoader(),
                    new Class<?>[] {handlerType},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "toString" -> "handed on";
                        default -> {
                            action.run();
                            yield null;
                        }
                    });
        }

        Object handle(Object signal, Object handler) {
            try {
                return handle.invoke(null, signal, handler);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("signal " + signal + " cannot be handled", e);
            }
        }
    }
}
