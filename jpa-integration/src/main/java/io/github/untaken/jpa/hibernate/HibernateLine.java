package io.github.untaken.jpa.hibernate;

import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hibernate.Version;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Whether this Hibernate is one that can be heard: 7.2 or newer, below 8. Asked before any class is loaded that names
 * what other versions lack; under those an application must run as if this library were not there.
 */
public final class HibernateLine {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jpa");

    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)\\D.*");

    private static final boolean HEARD = inReach(Version.getVersionString()) && asksForNothingNew();
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private HibernateLine() {}

    /** Whether writes are heard of without an entity listener. */
    public static boolean isHeard() {
        return HEARD;
    }

    /** Versions before 7.1 do not know their number once they are repackaged; they are not heard either. */
    static boolean inReach(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        return numbers.matches() && numbers.group(1).equals("7") && Integer.parseInt(numbers.group(2)) >= 2;
    }

    /** A newer version may want more of a listener or a service than was known when this was compiled. */
    private static boolean asksForNothingNew() {
        try {
            return Stream.of(
                            EntityEvents.class,
                            CollectionEvents.class,
                            HandoverInspector.class,
                            SessionWrites.class,
                            SessionStatements.class,
                            HeardSessions.class,
                            HeardExecutors.class,
                            HeardExecutor.class)
                    .flatMap(type -> Arrays.stream(type.getMethods()))
                    .noneMatch(method -> Modifier.isAbstract(method.getModifiers()));
        } catch (LinkageError e) {
            return false;
        }
    }

    /**
     * Whether Hibernate Reactive made this. It has services, sessions and connections of its own, which must stay as they
     * are, and shares the class path and the files of {@code META-INF/services} with Hibernate.
     */
    static boolean isReactive(Object made) {
        return made.getClass().getName().startsWith("org.hibernate.reactive.");
    }

    /** Whether a factory has a database for each tenant; asked where {@link HibernateIdentifiers} cannot be. */
    public static boolean hasSeveralDatabases(EntityManagerFactory factory) {
        return factory.unwrap(SessionFactoryImplementor.class)
                .getSessionFactoryOptions()
                .isMultiTenancyEnabled();
    }

    /** Says once what an application with registered identifiers has to do without under this version. */
    public static void tellWhatIsMissing() {
        if (TOLD.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "untaken-jpa hears what Hibernate 7.2, 7.3 and 7.4 write, and leaves Hibernate "
                            + Version.getVersionString()
                            + " alone: entities with registered identifiers need"
                            + " @EntityListeners(AvailabilityEntityListener.class), each identifier that is written is"
                            + " read from the database for ten minutes or more, and bulk and native statements, like the"
                            + " writes of a StatelessSession, are not noticed until the next scan, unless they are wrapped"
                            + " in bulk(kind, work).");
        }
    }
}
