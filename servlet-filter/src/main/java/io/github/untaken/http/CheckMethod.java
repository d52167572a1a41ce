package io.github.untaken.http;

/** How an identifier may be sent to the availability endpoint. */
public enum CheckMethod {
    /** In the query string, by GET or HEAD. It then appears in access logs and browser histories. */
    GET,
    /** As a field of the body, a form or JSON. */
    POST
}
