package dev.cagewright.cli.screen;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeMap;

/// Follows the escape sequences in what a program writes: ECMA-48 and the xterm control sequences. Knows which modes
/// differ from a terminal's usual ones. Bounded: what is longer than any sequence it knows is passed over. For one
/// thread
/// at a time.
final class ScreenModes {
    private static final int BEL = 7;
    private static final int CAN = 0x18;
    private static final int SUB = 0x1a;
    private static final int ESC = 0x1b;
    private static final int DEL = 0x7f;

    /// Private modes that are on when nobody has touched them: autowrap, the cursor.
    private static final Set<Integer> USUALLY_ON = Set.of(7, 25);

    /// Private modes that a person notices: cursor and mouse keys, focus, the alternate screen, pasting, synchronized
    /// output.
    private static final Set<Integer> USUALLY_OFF =
            Set.of(1, 9, 47, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1047, 1049, 2004, 2026);

    private static final Set<Integer> OTHER_SCREEN = Set.of(47, 1047, 1049);
    private static final int LONGEST = 128;

    private final TreeMap<Integer, Boolean> changed = new TreeMap<>();
    private final StringBuilder sequence = new StringBuilder();
    private State state = State.TEXT;
    private int continuation;
    private int keyboards;
    private boolean hasKeypad;
    private boolean hasRegion;
    private boolean hasCursorShape;
    private boolean hasOtherKeys;
    private boolean hasTitle;

    private enum State {
        TEXT,
        ESCAPE,
        /// `ESC` and an intermediate byte.
        ESCAPE_MORE,
        CONTROL,
        /// OSC, DCS, APC, PM, SOS: up to BEL or ST.
        STRING,
        STRING_ESCAPE
    }

    /// The next byte that the program wrote.
    void take(int b) {
        if (b == CAN || b == SUB) {
            state = State.TEXT;
            continuation = 0;
            return;
        }
        switch (state) {
            case TEXT -> text(b);
            case ESCAPE -> escape(b);
            case ESCAPE_MORE -> state = b >= 0x30 && b < DEL ? State.TEXT : State.ESCAPE_MORE;
            case CONTROL -> control(b);
            case STRING -> string(b);
            case STRING_ESCAPE -> stringEscape(b);
        }
    }

    /// Is it between two characters, outside of every sequence, so that something else may be written?
    boolean isBetween() {
        return state == State.TEXT && continuation == 0;
    }

    boolean hasTitle() {
        return hasTitle;
    }

    /// Is the alternate screen on, as full-screen programs have it?
    boolean isFullScreen() {
        return OTHER_SCREEN.stream().anyMatch(mode -> changed.getOrDefault(mode, false));
    }

    private void text(int b) {
        if (b == ESC) {
            continuation = 0;
            sequence.setLength(0);
            state = State.ESCAPE;
        } else if (b >= 0xc2 && b < 0xf5) {
            continuation = b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3;
        } else if (b >= 0x80 && b < 0xc0 && continuation > 0) {
            continuation--;
        } else {
            continuation = 0;
        }
    }

    private void escape(int b) {
        state = State.TEXT;
        switch (b) {
            case ESC -> state = State.ESCAPE;
            case '[' -> state = State.CONTROL;
            case ']', 'P', '_', '^', 'X' -> {
                sequence.append((char) b);
                state = State.STRING;
            }
            case '=' -> hasKeypad = true;
            case '>' -> hasKeypad = false;
            case 'c' -> reset();
            default -> {
                if (b >= 0x20 && b < 0x30) {
                    state = State.ESCAPE_MORE;
                }
            }
        }
    }

    private void reset() {
        changed.clear();
        keyboards = 0;
        hasKeypad = false;
        hasRegion = false;
        hasCursorShape = false;
        hasOtherKeys = false;
    }

    private void control(int b) {
        if (b == ESC) {
            sequence.setLength(0);
            state = State.ESCAPE;
        } else if (b >= 0x40 && b < DEL) {
            state = State.TEXT;
            done(sequence.toString(), (char) b);
        } else if (b >= 0x20 && sequence.length() < LONGEST) {
            sequence.append((char) b);
        }
    }

    private void done(String parameters, char last) {
        switch (last) {
            case 'h', 'l' -> {
                if (parameters.startsWith("?")) {
                    modes(parameters.substring(1), last == 'h');
                }
            }
            case 'r' -> hasRegion = !parameters.isEmpty() && parameters.charAt(0) != '?';
            case 'q' -> {
                if (parameters.endsWith(" ")) {
                    hasCursorShape = !parameters.equals(" ") && !parameters.equals("0 ");
                }
            }
            case 'u' -> keyboard(parameters);
            case 'm' -> {
                if (parameters.startsWith(">4")) {
                    hasOtherKeys = !parameters.equals(">4") && !parameters.equals(">4;0");
                }
            }
            case 'p' -> {
                if (parameters.equals("!")) {
                    hasRegion = false;
                    hasKeypad = false;
                    changed.remove(25);
                }
            }
            default -> {}
        }
    }

    private void modes(String parameters, boolean isOn) {
        for (String word : parameters.split(";", -1)) {
            if (word.matches("[0-9]{1,5}")) {
                int mode = Integer.parseInt(word);
                if (USUALLY_ON.contains(mode) ? !isOn : USUALLY_OFF.contains(mode) && isOn) {
                    changed.put(mode, isOn);
                } else {
                    changed.remove(mode);
                }
            }
        }
    }

    /// The stack of keyboard flags, kitty's keyboard protocol.
    private void keyboard(String parameters) {
        if (parameters.startsWith(">")) {
            keyboards = Math.min(keyboards + 1, 99);
        } else if (parameters.startsWith("<")) {
            keyboards = 0;
        }
    }

    private void string(int b) {
        if (b == ESC) {
            state = State.STRING_ESCAPE;
        } else if (b == BEL && sequence.charAt(0) == ']') {
            endString();
        } else if (sequence.length() < LONGEST) {
            sequence.append((char) b);
        }
    }

    /// `ESC \` ends the string; another escape sequence ends it, too.
    private void stringEscape(int b) {
        endString();
        if (b != '\\') {
            sequence.setLength(0);
            escape(b);
        }
    }

    private void endString() {
        state = State.TEXT;
        hasTitle |= sequence.toString().startsWith("]0;") || sequence.toString().startsWith("]2;");
    }

    /// What puts the terminal back as it was before: nothing where nothing is left.
    byte[] undo() {
        var out = new StringBuilder();
        if (!isBetween()) {
            out.append((char) CAN).append("\033\\");
        }
        if (hasRegion) {
            out.append("\0337\033[r\0338");
        }
        if (keyboards > 0) {
            out.append("\033[<").append(keyboards).append('u');
        }
        out.append(hasOtherKeys ? "\033[>4;0m" : "");
        out.append(hasCursorShape ? "\033[0 q" : "");
        out.append(hasKeypad ? "\033>" : "");
        changed.descendingMap()
                .forEach((mode, isOn) -> out.append("\033[?").append(mode).append(isOn ? 'l' : 'h'));
        out.append("\033(B\033[0m");
        reset();
        state = State.TEXT;
        continuation = 0;
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
