/** How long a read waits for what is on its way before it answers with what there is. */
export const READ_WAIT_MS = 2_500;
