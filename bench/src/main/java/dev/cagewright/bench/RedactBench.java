package dev.cagewright.bench;

import dev.cagewright.secrets.redact.Deltas;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.redact.Redactor;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Taking values out of a mebibyte that comes in pieces of 16 KiB, by how many secrets a session has: operations a
/// second
/// are MiB a second on one core. The text is JSON with words, numbers and base64; noise is random bytes.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class RedactBench {
    private static final int PIECE = 16 * 1024;
    private static final int WHOLE = 1 << 20;
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    @Param({"1", "10", "1000"})
    public int secrets;

    private Redaction redaction;
    private byte[][] text;
    private byte[][] noise;

    /// Makes the secrets, of the shape that many keys have, and what passes.
    @Setup
    public void make() {
        var random = new Random(1);
        var held = new ArrayList<HeldSecret>();
        for (int i = 0; i < secrets; i++) {
            held.add(new HeldSecret("KEY_" + i, key(random), SecretValue.copyOf(key(random))));
        }
        redaction = Redaction.of(List.copyOf(held));
        text = pieces(json(random));
        var bytes = new byte[WHOLE];
        random.nextBytes(bytes);
        noise = pieces(bytes);
    }

    private static byte[] key(Random random) {
        var key = new StringBuilder("sk-ant-api03-");
        for (int i = 0; i < 80; i++) {
            key.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return key.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] json(Random random) {
        var json = new StringBuilder("[");
        while (json.length() < WHOLE) {
            json.append("{\"id\":").append(random.nextInt()).append(",\"text\":\"the quick brown fox, sk- and all \",");
            json.append("\"data\":\"");
            for (int i = 0; i < 60; i++) {
                json.append(LETTERS.charAt(random.nextInt(62)));
            }
            json.append("\"},\n");
        }
        return json.substring(0, WHOLE).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[][] pieces(byte[] whole) {
        var pieces = new byte[whole.length / PIECE][];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = Arrays.copyOfRange(whole, i * PIECE, (i + 1) * PIECE);
        }
        return pieces;
    }

    /// As bytes.
    @Benchmark
    public int text() {
        var redactor = Redactor.ofText(redaction);
        int passed = 0;
        for (var piece : text) {
            passed += redactor.next(piece).length;
        }
        return passed + redactor.end().length;
    }

    /// What no text is.
    @Benchmark
    public int noise() {
        var redactor = Redactor.ofBinary(redaction);
        int passed = 0;
        for (var piece : noise) {
            passed += redactor.next(piece).length;
        }
        return passed + redactor.end().length;
    }

    /// As bytes, and as the texts that its strings come to.
    @Benchmark
    public int json() {
        var redactor = Redactor.ofText(redaction);
        var deltas = new Deltas(redaction, Deltas.Shape.JSON);
        int passed = 0;
        for (var piece : text) {
            passed += redactor.next(deltas.next(piece)).length;
        }
        return passed + redactor.next(deltas.end()).length + redactor.end().length;
    }

    /// Runs it alone.
    public static void main(String[] words) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(RedactBench.class.getSimpleName())
                        .build())
                .run();
    }
}
