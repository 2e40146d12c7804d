/** An account in the engine and the store; one without lamports does not exist. */
export interface StoredAccount {
  readonly lamports: bigint;
  readonly owner: Buffer;
  readonly executable: boolean;
  readonly data: Buffer;
}

/** Accounts after a transaction or a block, by base58 address; null for a deleted one. */
export type AccountChanges = ReadonlyMap<string, StoredAccount | null>;

export function sameAccount(left: StoredAccount | null, right: StoredAccount | null): boolean {
  return left === null || right === null
    ? left === right
    : left.lamports === right.lamports &&
        left.executable === right.executable &&
        left.owner.equals(right.owner) &&
        left.data.equals(right.data);
}
