package io.github.untaken.innodb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Of a server, unpacked. */
interface Programs {
    /** Makes the files of a server that has no tables yet. */
    void install(Path data) throws IOException, InterruptedException;

    /** What starts a server on such files. Whoever starts it adds what concerns this one: files, port, settings. */
    List<String> command();

    /** Where its libraries are; nowhere if the command says so itself. */
    List<Path> libraries();

    /** Otherwise it refuses to run as root. */
    static List<String> asRoot() {
        return System.getProperty("user.name").equals("root") ? List.of("--user=root") : List.of();
    }
}
