package io.github.untaken.jpa.lines;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What one class file names of other classes, read from its constant pool (JVM specification, 4.4). */
final class References {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int METHOD_HANDLE = 15;
    private static final Map<Integer, Integer> SIZES = Map.ofEntries(
            Map.entry(3, 4), Map.entry(4, 4), Map.entry(8, 2), Map.entry(16, 2), Map.entry(METHOD_HANDLE, 3));

    private final Map<Integer, Integer> tags = new HashMap<>();
    private final Map<Integer, int[]> parts = new HashMap<>();
    private final Map<Integer, String> texts = new HashMap<>();

    References(byte[] classFile) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        in.skipNBytes(8);
        int count = in.readUnsignedShort();
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            tags.put(i, tag);
            if (tag == UTF8) {
                texts.put(i, in.readUTF());
            } else if (tag == LONG || tag == DOUBLE) {
                in.skipNBytes(8);
                i++;
            } else if (tag == CLASS) {
                parts.put(i, new int[] {in.readUnsignedShort()});
            } else if (SIZES.containsKey(tag)) {
                in.skipNBytes(SIZES.get(tag));
            } else {
                parts.put(i, new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
            }
        }
    }

    /** Those of Hibernate and Jakarta Persistence that are not there, or are something else by now. */
    Set<String> missing() {
        Set<String> missing = new TreeSet<>();
        tags.forEach((i, tag) -> {
            if (tag == CLASS || tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
                int[] part = parts.get(i);
                String owner = texts.get(tag == CLASS ? part[0] : parts.get(part[0])[0]);
                if (owner.startsWith("org/hibernate/") || owner.startsWith("jakarta/persistence/")) {
                    String member = tag == CLASS ? "" : nameAndType(parts.get(part[1]));
                    if (!exists(owner, tag, member)) {
                        missing.add(owner + " " + member);
                    }
                }
            }
        });
        return missing;
    }

    private String nameAndType(int[] part) {
        return texts.get(part[0]) + texts.get(part[1]);
    }

    private static boolean exists(String owner, int tag, String member) {
        try {
            Class<?> type = Class.forName(owner.replace('/', '.'), false, References.class.getClassLoader());
            if (tag == CLASS) {
                return true;
            }
            boolean asInterface = tag == INTERFACE_METHOD;
            return (tag == FIELD || type.isInterface() == asInterface) && hasMember(type, member);
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private static boolean hasMember(Class<?> type, String member) {
        Deque<Class<?>> types = new ArrayDeque<>(List.of(type, Object.class));
        while (!types.isEmpty()) {
            Class<?> each = types.pop();
            if (declared(each).contains(member)) {
                return true;
            }
            types.addAll(Arrays.asList(each.getInterfaces()));
            if (each.getSuperclass() != null) {
                types.add(each.getSuperclass());
            }
        }
        return false;
    }

    private static Set<String> declared(Class<?> type) {
        Set<String> members = new TreeSet<>();
        Arrays.stream(type.getDeclaredMethods())
                .forEach(each -> members.add(each.getName()
                        + MethodType.methodType(each.getReturnType(), each.getParameterTypes())
                                .descriptorString()));
        Arrays.stream(type.getDeclaredConstructors())
                .forEach(each -> members.add("<init>"
                        + MethodType.methodType(void.class, each.getParameterTypes())
                                .descriptorString()));
        Arrays.stream(type.getDeclaredFields())
                .forEach(each -> members.add(each.getName() + each.getType().descriptorString()));
        return members;
    }
}
