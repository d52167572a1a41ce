package io.github.untaken.filter;

/** A membership filter that can forget. */
public interface RemovableMembershipFilter extends MembershipFilter {

    /**
     * Removes one entry of this hash. Only a hash that was added, and not already removed as often, may be removed:
     * anything else may take another key's entry, which is then missing.
     *
     * @return false if no such entry was found; nothing changed
     */
    boolean remove(long hash);
}
