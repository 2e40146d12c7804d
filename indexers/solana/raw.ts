/** A block of JSON-RPC `getBlock` with encoding `json`: only the fields that are used; only the outer shape is validated. */
export interface RawBlock {
  readonly slot: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: number;
  readonly blockTime: number | null;
  readonly transactions: readonly RawTransaction[];
}

/** A block whose transactions may be parsed as they are read. @throws SyntaxError from reading them */
export interface LazyBlock extends Omit<RawBlock, 'transactions'> {
  readonly transactions: Iterable<RawTransaction>;
}

export interface RawTransaction {
  readonly transaction: { readonly signatures: readonly string[]; readonly message: RawMessage };
  readonly meta: RawMeta | null;
  readonly version?: 'legacy' | number;
}

interface RawMessage {
  readonly header: { readonly numRequiredSignatures: number };
  readonly accountKeys: readonly string[];
  readonly instructions: readonly RawInstruction[];
}

export interface RawInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** Base58. */
  readonly data: string;
  /** 1 for instructions of the transaction, 2 for what those call; absent from old nodes. */
  readonly stackHeight?: number | null;
}

export interface RawMeta {
  readonly err: unknown;
  readonly fee: number;
  readonly preBalances: readonly number[];
  readonly postBalances: readonly number[];
  readonly preTokenBalances?: readonly RawTokenBalance[] | null;
  readonly postTokenBalances?: readonly RawTokenBalance[] | null;
  readonly innerInstructions?:
    readonly { readonly index: number; readonly instructions: readonly RawInstruction[] }[] | null;
  readonly loadedAddresses?: {
    readonly writable: readonly string[];
    readonly readonly: readonly string[];
  } | null;
  readonly logMessages?: readonly string[] | null;
}

export interface RawTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  /** Absent in blocks before 2021. */
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** All accounts of a transaction in the order of its indices: its own, then those from lookup tables. */
export function accountKeys(raw: RawTransaction): readonly string[] {
  const own = raw.transaction.message.accountKeys;
  const loaded = raw.meta?.loadedAddresses;
  return loaded && loaded.writable.length + loaded.readonly.length > 0
    ? own.concat(loaded.writable, loaded.readonly)
    : own;
}
