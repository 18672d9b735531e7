package dev.cagewright.secrets.store;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.TreeMap;

/// A store as the bytes of a file: a line that names the form, the scope, the key's id, the sealed index, then the
/// sealed
/// values in the index's order, and nothing behind them. The index opens only under the head that it was written
/// behind,
/// and each value only as the version of the secret and scope that it was written for.
///
/// @param file for messages
/// @param scope whose secrets these are
record StoreForm(Path file, String scope, StoreKey key) {
    private static final byte[] FORM = "cagewright-secrets 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final String RESTORE =
            "restore it from a copy, or move it away and store its secrets again; nothing was changed";

    byte[] write(Contents contents) {
        var head = head();
        var index = Sealed.of(key, about(head), IndexCode.write(contents));
        var out = new ByteArrayOutputStream();
        out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        out.writeBytes(
                ByteBuffer.allocate(Integer.BYTES).putInt(index.bytes().length).array());
        out.writeBytes(index.bytes());
        contents.items().values().forEach(item -> item.values().forEach(value -> out.writeBytes(value.bytes())));
        return out.toByteArray();
    }

    private String head() {
        return new String(FORM, StandardCharsets.US_ASCII) + scope + "\n" + key.id() + "\n";
    }

    private static String about(String head) {
        return "index\0" + head;
    }

    /// What a value is sealed as.
    String aboutValue(String name, long version) {
        return "value\0" + scope + "\0" + name + "\0" + version;
    }

    /// @throws StoreException if it is no store of this scope under this key, or is not whole
    Contents read(byte[] bytes) throws StoreException {
        requireForm(bytes);
        var in = ByteBuffer.wrap(bytes).position(FORM.length);
        try {
            requireScope(line(in));
            requireKey(line(in));
            var index = opened(sealed(in, in.getInt()));
            var items = new TreeMap<String, Item>();
            for (var entry : index.entries()) {
                var values = new ArrayList<Sealed>();
                for (int size : entry.sizes()) {
                    values.add(sealed(in, size));
                }
                items.put(entry.secret().name(), new Item(entry.secret(), values));
            }
            if (in.hasRemaining()) {
                throw refusal("has " + in.remaining() + " bytes behind its end");
            }
            return new Contents(index.next(), items);
        } catch (BufferUnderflowException | EOFException e) {
            throw new StoreException(file + ": ends early, after " + bytes.length + " bytes (" + RESTORE + ")", e);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(file + ": is no store: " + e.getMessage() + " (" + RESTORE + ")", e);
        }
    }

    private void requireForm(byte[] bytes) throws StoreException {
        if (bytes.length < FORM.length && Arrays.mismatch(bytes, FORM) == bytes.length) {
            throw refusal("ends early, after " + bytes.length + " bytes");
        }
        if (bytes.length < FORM.length || !Arrays.equals(bytes, 0, FORM.length, FORM, 0, FORM.length)) {
            throw new StoreException(file + ": its form is not known here (expected: "
                    + new String(FORM, StandardCharsets.US_ASCII).strip()
                    + "; use the version of the product that wrote it; nothing was changed)");
        }
    }

    private void requireScope(String found) throws StoreException {
        if (!found.equals(scope)) {
            throw refusal("is the store of another scope (expected: " + scope + ")");
        }
    }

    private void requireKey(String found) throws StoreException {
        if (!found.equals(key.id())) {
            throw new StoreException(file + ": was written under another key, not the one that is here ("
                    + key.id().substring(0, 8) + "; bring back the key that it was written under, or move the file"
                    + " away and store its secrets again; nothing was changed)");
        }
    }

    private IndexCode.Index opened(Sealed index) throws IOException {
        var plain = index.open(key, about(head())).orElseThrow(() -> refusal("was changed, so nothing of it is used"));
        return IndexCode.read(plain);
    }

    private static String line(ByteBuffer in) {
        var text = new ByteArrayOutputStream();
        for (byte next = in.get(); next != '\n'; next = in.get()) {
            text.write(next);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private static Sealed sealed(ByteBuffer in, int size) {
        if (size < 0 || size > in.remaining()) {
            throw new BufferUnderflowException();
        }
        var bytes = new byte[size];
        in.get(bytes);
        return new Sealed(bytes);
    }

    StoreException refusal(String why) {
        return new StoreException(file + ": " + why + " (" + RESTORE + ")");
    }
}
