/** How long a server may take to answer when it is opened: at the start of a busy machine it may be starting itself. */
export const OPEN_TIMEOUT_MS = 15_000;
