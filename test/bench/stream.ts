/** What the rows of streams ask of a server: its memory in bytes, or a change of an account. */
export type StreamRequest = 'memory' | { readonly account: string; readonly slot: number };
