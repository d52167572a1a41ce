package io.github.untaken.cluster.mysql;

/** Is told, and does nothing. */
class IgnoringListener implements LogListener {
    @Override
    public void file(LogPlace place) {}

    @Override
    public void begun(long at, boolean byStart) {}

    @Override
    public void wrote(WatchedColumn column, String value) {}

    @Override
    public void opened() {}

    @Override
    public void closed() {}

    @Override
    public void stated(String sql) {}

    @Override
    public void passed(long lowOffset) {}
}
