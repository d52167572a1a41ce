/** E.164 keys for what people type as a phone number. */
@NullMarked
package io.github.untaken.phone;

import org.jspecify.annotations.NullMarked;
