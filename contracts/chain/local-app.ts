/**
 * Where the local application is read from, a double that is there to be shown. Its host is reserved for examples (RFC 2606)
 * and resolves nowhere: the local network of TON serves it.
 */
export const LOCAL_APP_ORIGIN = 'https://app.example.com';
