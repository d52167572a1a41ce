package io.github.untaken;

/**
 * Something that must come did not come in time. A type of its own, because it shows less than another failure: on a machine
 * that stands still it says nothing of the code.
 */
final class WaitedInVain extends AssertionError {
    private static final long serialVersionUID = 1L;

    WaitedInVain(String what) {
        super(what + " within " + CheckerFixture.PATIENCE_SECONDS + " s");
    }
}
