package io.github.untaken.sample;

import io.github.untaken.sample.console.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file that {@code --headline} names. */
record PictureFile(Path path) {

    /** Reports at once what would otherwise fail after minutes of seeding. Leaves no file that was not there. */
    void requireWritable() throws StartupException {
        boolean there = Files.exists(path);
        if (Files.isDirectory(path)) {
            throw new StartupException("--headline " + path + " is a directory; name a file");
        }
        try {
            Files.newByteChannel(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .close();
            if (!there) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw refused(e);
        }
    }

    void write(String svg) throws StartupException {
        try {
            Files.writeString(path, svg);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    private StartupException refused(IOException e) {
        String why = e instanceof NoSuchFileException
                ? "its directory does not exist"
                : e.getClass().getSimpleName();
        return new StartupException(
                "--headline " + path + " cannot be written (" + why + "); name a file in a directory you may write to",
                e);
    }
}
