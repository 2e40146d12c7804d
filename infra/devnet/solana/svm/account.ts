/** An account as the engine and the store hold it; one with no lamports does not exist. */
export interface StoredAccount {
  readonly lamports: bigint;
  readonly owner: Buffer;
  readonly executable: boolean;
  readonly data: Buffer;
}

/** The accounts a transaction or a block left behind, by base58 address; null for one that is gone. */
export type AccountChanges = ReadonlyMap<string, StoredAccount | null>;

export function sameAccount(left: StoredAccount | null, right: StoredAccount | null): boolean {
  return left === null || right === null
    ? left === right
    : left.lamports === right.lamports &&
        left.executable === right.executable &&
        left.owner.equals(right.owner) &&
        left.data.equals(right.data);
}
