/** How long a read waits for data that is being fetched or projected. */
export const READ_WAIT_MS = 2_500;
