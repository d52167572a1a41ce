/** The examples of the documentation, which need one module. */
module outside.filters {
    requires io.github.untaken.filter;
}
