/** Bytes of path and query together that an endpoint takes, unless it says otherwise. */
export const DEFAULT_TARGET_LIMIT = 16 * 1024;

/** Bytes of all headers of a request together. */
export const MAX_HEADERS_BYTES = 16 * 1024;

/** Fields of the head of a request. Each costs memory beside its bytes. */
export const MAX_HEADERS = 100;
