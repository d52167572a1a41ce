package io.github.untaken.memory;

import java.security.SecureRandom;

/** What makes the hash key of each generation another one, although they come from one kept secret. Not secret itself. */
record Salt(long high, long low) {

    static Salt random() {
        SecureRandom random = new SecureRandom();
        return new Salt(random.nextLong(), random.nextLong());
    }
}
