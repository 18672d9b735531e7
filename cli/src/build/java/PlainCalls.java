import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes out what the JVM would else make at run time, at the first use of each place: a switch over types
/// (`java.lang.runtime.SwitchBootstraps`) and `equals`, `hashCode` and `toString` of a record
/// (`java.lang.runtime.ObjectMethods`). The start-up cache of JDK 25 keeps neither. Each becomes a call of a
/// private method with the same meaning, as those two classes specify it. For one class; not safe for threads.
final class PlainCalls {
    private static final ClassDesc SWITCHES = ClassDesc.of("java.lang.runtime.SwitchBootstraps");
    private static final ClassDesc RECORDS = ClassDesc.of("java.lang.runtime.ObjectMethods");
    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
    private static final ClassDesc TEXT = ClassDesc.of("java.lang.StringBuilder");
    private static final int HIDDEN = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final ClassModel model;
    private final Map<String, Method> methods = new LinkedHashMap<>();

    private PlainCalls(ClassModel model) {
        this.model = model;
    }

    private record Method(String name, MethodTypeDesc type, Body body) {}

    private interface Body {
        void write(CodeBuilder code);
    }

    /// The class with plain calls, or empty if it had no other.
    static Optional<byte[]> of(ClassFile form, ClassModel model) {
        if (!namesMakers(model)) {
            return Optional.empty();
        }
        var calls = new PlainCalls(model);
        var transform = ClassTransform.transformingMethodBodies((code, element) -> {
                    var method = element instanceof InvokeDynamicInstruction call
                            ? calls.method(call)
                            : Optional.<Method>empty();
                    method.ifPresentOrElse(plain -> calls.call(code, plain), () -> code.with(element));
                })
                .andThen(ClassTransform.endHandler(built -> calls.methods
                        .values()
                        .forEach(method ->
                                built.withMethodBody(method.name, method.type, HIDDEN, method.body::write))));
        var made = form.transformClass(model, transform);
        return calls.methods.isEmpty() ? Optional.empty() : Optional.of(made);
    }

    /// A class without is left as it is: libraries name classes that are not here, so their maps cannot be computed.
    private static boolean namesMakers(ClassModel model) {
        for (var entry : model.constantPool()) {
            if (entry instanceof ClassEntry type
                    && (type.asSymbol().equals(SWITCHES) || type.asSymbol().equals(RECORDS))) {
                return true;
            }
        }
        return false;
    }

    private void call(CodeBuilder code, Method method) {
        boolean isInterface = model.flags().has(AccessFlag.INTERFACE);
        code.invokestatic(model.thisClass().asSymbol(), method.name, method.type, isInterface);
    }

    private Optional<Method> method(InvokeDynamicInstruction call) {
        var maker = call.bootstrapMethod();
        var arguments = call.bootstrapArgs();
        if (maker.owner().equals(RECORDS)) {
            var fields = arguments.subList(2, arguments.size()).stream()
                    .map(DirectMethodHandleDesc.class::cast)
                    .toList();
            return Optional.of(ofRecord(call, (ClassDesc) arguments.getFirst(), fields));
        }
        boolean isOverTypes = maker.owner().equals(SWITCHES)
                && maker.methodName().equals("typeSwitch")
                && arguments.stream().allMatch(ClassDesc.class::isInstance);
        return isOverTypes ? Optional.of(ofSwitch(call)) : Optional.empty();
    }

    private Method ofSwitch(InvokeDynamicInstruction call) {
        var labels = call.bootstrapArgs().stream().map(ClassDesc.class::cast).toList();
        var name = "type$" + methods.size();
        return methods.computeIfAbsent(
                call.typeSymbol().descriptorString() + labels,
                _ -> new Method(name, call.typeSymbol(), code -> firstLabel(code, labels)));
    }

    private Method ofRecord(InvokeDynamicInstruction call, ClassDesc record, List<DirectMethodHandleDesc> fields) {
        var name = call.name().stringValue();
        Body body = switch (name) {
            case "equals" -> code -> equal(code, record, fields);
            case "hashCode" -> code -> hash(code, fields);
            case "toString" -> code -> text(code, record, fields);
            default -> throw new IllegalArgumentException(name + " (expected: equals, hashCode or toString)");
        };
        return methods.computeIfAbsent(name, _ -> new Method(name + "$", call.typeSymbol(), body));
    }

    /// The first label, from the one of the second parameter on, that the object is of; their number if it is of
    /// none; -1 for null.
    private static void firstLabel(CodeBuilder code, List<ClassDesc> labels) {
        var some = code.newLabel();
        code.aload(0).ifnonnull(some).iconst_m1().ireturn().labelBinding(some);
        for (int i = 0; i < labels.size(); i++) {
            var next = code.newLabel();
            code.iload(1)
                    .loadConstant(i)
                    .if_icmpgt(next)
                    .aload(0)
                    .instanceOf(labels.get(i))
                    .ifeq(next)
                    .loadConstant(i)
                    .ireturn()
                    .labelBinding(next);
        }
        code.loadConstant(labels.size()).ireturn();
    }

    private static void equal(CodeBuilder code, ClassDesc record, List<DirectMethodHandleDesc> fields) {
        var not = code.newLabel();
        code.aload(1).instanceOf(record).ifeq(not).aload(1).checkcast(record).astore(2);
        for (var field : fields) {
            read(code, 0, field);
            read(code, 2, field);
            var type = type(field);
            switch (type.descriptorString()) {
                case "I", "Z", "B", "S", "C" -> code.if_icmpne(not);
                case "J" -> code.lcmp().ifne(not);
                case "F", "D" -> code.invokestatic(boxOf(type), "compare", MethodTypeDesc.of(ConstantDescs.CD_int, type, type))
                        .ifne(not);
                default -> code.invokestatic(
                                OBJECTS,
                                "equals",
                                MethodTypeDesc.of(
                                        ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                        .ifeq(not);
            }
        }
        code.iconst_1().ireturn().labelBinding(not).iconst_0().ireturn();
    }

    private static void hash(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
        code.iconst_0();
        for (var field : fields) {
            code.bipush(31).imul();
            read(code, 0, field);
            var type = type(field);
            var taken = type.isPrimitive() ? type : ConstantDescs.CD_Object;
            code.invokestatic(boxOf(type), "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int, taken))
                    .iadd();
        }
        code.ireturn();
    }

    private static void text(CodeBuilder code, ClassDesc record, List<DirectMethodHandleDesc> fields) {
        code.new_(TEXT).dup().invokespecial(TEXT, "<init>", ConstantDescs.MTD_void);
        var before = simpleName(record) + "[";
        for (var field : fields) {
            add(code, before + field.methodName() + "=");
            read(code, 0, field);
            var type = type(field);
            var taken = switch (type.descriptorString()) {
                case "B", "S" -> ConstantDescs.CD_int;
                default -> type.isPrimitive() ? type : ConstantDescs.CD_Object;
            };
            code.invokestatic(ConstantDescs.CD_String, "valueOf", MethodTypeDesc.of(ConstantDescs.CD_String, taken))
                    .invokevirtual(TEXT, "append", MethodTypeDesc.of(TEXT, ConstantDescs.CD_String));
            before = ", ";
        }
        add(code, fields.isEmpty() ? before + "]" : "]");
        code.invokevirtual(TEXT, "toString", MethodTypeDesc.of(ConstantDescs.CD_String))
                .areturn();
    }

    private static void add(CodeBuilder code, String constant) {
        code.loadConstant(constant)
                .invokevirtual(TEXT, "append", MethodTypeDesc.of(TEXT, ConstantDescs.CD_String));
    }

    private static void read(CodeBuilder code, int variable, DirectMethodHandleDesc field) {
        code.aload(variable).getfield(field.owner(), field.methodName(), type(field));
    }

    private static ClassDesc type(DirectMethodHandleDesc field) {
        return field.invocationType().returnType();
    }

    /// As `Class.getSimpleName` says it: a local record has a number in front.
    private static String simpleName(ClassDesc record) {
        var name = record.displayName();
        return name.substring(name.lastIndexOf('$') + 1).replaceFirst("^[0-9]+", "");
    }

    /// Whose `hashCode` and `compare` are meant.
    private static ClassDesc boxOf(ClassDesc type) {
        return switch (type.descriptorString()) {
            case "I" -> ConstantDescs.CD_Integer;
            case "Z" -> ConstantDescs.CD_Boolean;
            case "B" -> ConstantDescs.CD_Byte;
            case "S" -> ConstantDescs.CD_Short;
            case "C" -> ConstantDescs.CD_Character;
            case "J" -> ConstantDescs.CD_Long;
            case "F" -> ConstantDescs.CD_Float;
            case "D" -> ConstantDescs.CD_Double;
            default -> OBJECTS;
        };
    }
}
