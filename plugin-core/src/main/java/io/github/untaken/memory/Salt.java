package io.github.untaken.memory;

import java.security.SecureRandom;

/**
 * Makes each generation's hash key different, although all come from one kept secret. The salt itself is not secret.
 */
record Salt(long high, long low) {

    static Salt random() {
        SecureRandom random = new SecureRandom();
        return new Salt(random.nextLong(), random.nextLong());
    }
}
