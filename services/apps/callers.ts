/** What a caller has sent in the name of a wallet. */
interface Sent {
  /** `CallerSource` of the caller; null where it was not recorded. */
  readonly source: string | null;
}

/**
 * Callers that are recorded of what is said in the name of a wallet. Addresses are public, so that anybody can name any wallet:
 * what the first caller says counts, and what others say is recorded beside, since nobody knows which of them the wallet is.
 */
export const MAX_CALLERS = 4;

/** What a caller has sent; undefined when it is not recorded. */
export function sentBy<T extends Sent>(sent: readonly T[], source: string | null): T | undefined {
  return source === null ? undefined : sent.find(each => each.source === source);
}
