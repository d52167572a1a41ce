/** What operators look at: meters, health, and the endpoint of the actuator. Internal. */
@NullMarked
package io.github.untaken.spring.boot.monitoring;

import org.jspecify.annotations.NullMarked;
