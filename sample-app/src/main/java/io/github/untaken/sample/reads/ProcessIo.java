package io.github.untaken.sample.reads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the operating system has counted for this process since it began, class files and logs included. Linux only.
 *
 * @param readCalls read calls
 * @param bytesRead what they delivered, from its cache or not
 * @param deviceBytesRead what was fetched from block devices for them
 */
public record ProcessIo(long readCalls, long bytesRead, long deviceBytesRead) {
    public static final ProcessIo NONE = new ProcessIo(0, 0, 0);

    private static final Path OF_THIS_PROCESS = Path.of("/proc/self/io");

    /** Empty where the operating system does not tell. */
    public static Optional<ProcessIo> now() {
        return in(OF_THIS_PROCESS);
    }

    static Optional<ProcessIo> in(Path file) {
        try {
            Map<String, Long> figures = new HashMap<>();
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(":", 2);
                figures.put(parts[0], Long.parseLong(parts[1].strip()));
            }
            Long calls = figures.get("syscr");
            Long bytes = figures.get("rchar");
            Long device = figures.get("read_bytes");
            return calls == null || bytes == null || device == null
                    ? Optional.empty()
                    : Optional.of(new ProcessIo(calls, bytes, device));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    public ProcessIo minus(ProcessIo earlier) {
        return new ProcessIo(
                readCalls - earlier.readCalls,
                bytesRead - earlier.bytesRead,
                deviceBytesRead - earlier.deviceBytesRead);
    }

    public ProcessIo plus(ProcessIo other) {
        return new ProcessIo(
                readCalls + other.readCalls, bytesRead + other.bytesRead, deviceBytesRead + other.deviceBytesRead);
    }

    public Map<String, Object> json() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("readCalls", readCalls);
        body.put("bytesRead", bytesRead);
        body.put("deviceBytesRead", deviceBytesRead);
        return body;
    }
}
