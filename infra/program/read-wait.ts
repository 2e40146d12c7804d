/** How long a read waits for data that is being fetched or projected. */
export const READ_WAIT_MS = 2_500;

/** How long a read of a past ledger waits: its first reader starts the thread that folds it, which takes seconds. */
export const AS_OF_WAIT_MS = 10_000;
