import bs58 from 'bs58';
import { keysOf, type NodeTransaction } from './node';

/** A row of a history, as far as a wallet reads it. */
export interface Row {
  readonly type: string;
  readonly source: string;
  readonly signature: string;
  readonly slot: number;
  readonly timestamp: number;
  readonly fee: number;
  readonly feePayer: string;
  readonly transactionError: string | null;
  readonly tokenTransfers: readonly TokenTransfer[];
  readonly nativeTransfers: readonly {
    readonly fromUserAccount: string;
    readonly toUserAccount: string;
    readonly amount: number;
  }[];
  readonly accountData: readonly {
    readonly account: string;
    readonly nativeBalanceChange: number;
    readonly tokenBalanceChanges: readonly {
      readonly userAccount: string;
      readonly tokenAccount: string;
      readonly mint: string;
      readonly rawTokenAmount: { readonly tokenAmount: string; readonly decimals: number };
    }[];
  }[];
  readonly instructions: readonly Call[];
}

export interface TokenTransfer {
  readonly kind: string;
  readonly fromTokenAccount: string;
  readonly toTokenAccount: string;
  readonly fromUserAccount: string;
  readonly toUserAccount: string;
  readonly mint: string;
  readonly tokenAmount: number;
  readonly rawAmount: string;
}

interface Call {
  readonly programId: string;
  readonly accounts: readonly string[];
  readonly data: string;
  readonly innerInstructions?: readonly Call[];
}

/** What a transaction did, as a node or a row of a history shows it: both must say the same. */
interface Facts {
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970; 0 for a block without a time. */
  readonly time: number;
  readonly fee: number;
  readonly payer: string;
  readonly error: string | null;
  /** The change of each account in lamports, the fee included, in the order of the accounts. */
  readonly lamports: readonly string[];
  /** The change of each token account that changed, in the smallest unit, with mint, owner and decimals. */
  readonly tokens: readonly string[];
  /** What the transfers of each account add up to, in lamports; without the fee. */
  readonly lamportsMoved: readonly string[];
  readonly tokensMoved: readonly string[];
  /** The same by owner: an account may get another one with its tokens. */
  readonly ownersMoved: readonly string[];
  /** Every instruction with its depth, in the order they ran. */
  readonly calls: readonly string[];
}

class Sums {
  readonly #sums = new Map<string, bigint>();

  add(key: string, amount: bigint): void {
    this.#sums.set(key, (this.#sums.get(key) ?? 0n) + amount);
  }

  lines(): string[] {
    return [...this.#sums]
      .filter(([, sum]) => sum !== 0n)
      .map(([key, sum]) => `${key} ${sum}`)
      .sort();
  }
}

export function factsOfNode(found: NodeTransaction): Facts {
  const { slot, blockTime, transaction, meta } = found;
  const keys = keysOf(found);
  const failed = meta.err !== null;
  const [tokens, lamportsMoved] = [new Sums(), new Sums()];
  const [tokensMoved, ownersMoved] = [new Sums(), new Sums()];
  const changes = keys.map((_, i) => meta.postBalances[i]! - meta.preBalances[i]!);
  for (const [balances, sign] of [
    [meta.preTokenBalances, -1n],
    [meta.postTokenBalances, 1n],
  ] as const)
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      const amount = sign * BigInt(uiTokenAmount.amount);
      tokens.add(`${keys[accountIndex]} ${owner} ${mint} ${uiTokenAmount.decimals}`, amount);
      if (failed) continue;
      tokensMoved.add(`${keys[accountIndex]} ${mint}`, amount);
      ownersMoved.add(`${owner} ${mint}`, amount);
    }
  if (!failed) {
    keys.forEach((key, i) => lamportsMoved.add(key, BigInt(changes[i]!)));
    lamportsMoved.add(keys[0]!, BigInt(meta.fee));
  }
  const inner = new Map(meta.innerInstructions.map(({ index, instructions }) => [index, instructions]));
  const line = (
    depth: number,
    { programIdIndex, accounts, data }: (typeof transaction.message.instructions)[number],
  ): string =>
    callLine(
      depth,
      keys[programIdIndex]!,
      accounts.map(index => keys[index]!),
      data,
    );
  return {
    signature: transaction.signatures[0]!,
    slot,
    time: blockTime ?? 0,
    fee: meta.fee,
    payer: keys[0]!,
    error: errorText(meta.err),
    lamports: keys.map((key, i) => `${key} ${changes[i]}`),
    tokens: tokens.lines(),
    lamportsMoved: lamportsMoved.lines(),
    tokensMoved: tokensMoved.lines(),
    ownersMoved: ownersMoved.lines(),
    calls: transaction.message.instructions.flatMap((call, i) => [
      line(0, call),
      ...(inner.get(i) ?? []).map(called => line((called.stackHeight ?? 2) - 1, called)),
    ]),
  };
}

export function factsOfRow(row: Row): Facts {
  const [tokens, lamportsMoved] = [new Sums(), new Sums()];
  const [tokensMoved, ownersMoved] = [new Sums(), new Sums()];
  for (const { account, tokenBalanceChanges } of row.accountData)
    for (const { tokenAccount, userAccount, mint, rawTokenAmount } of tokenBalanceChanges) {
      const { tokenAmount, decimals } = rawTokenAmount;
      expect(tokenAccount).toBe(account);
      tokens.add(`${tokenAccount} ${userAccount} ${mint} ${decimals}`, BigInt(tokenAmount));
    }
  for (const { fromUserAccount, toUserAccount, amount } of row.nativeTransfers) {
    if (fromUserAccount) lamportsMoved.add(fromUserAccount, -BigInt(amount));
    if (toUserAccount) lamportsMoved.add(toUserAccount, BigInt(amount));
  }
  for (const transfer of row.tokenTransfers) {
    const { fromTokenAccount, fromUserAccount, toTokenAccount, toUserAccount, mint } = transfer;
    const amount = BigInt(transfer.rawAmount);
    if (fromTokenAccount) {
      tokensMoved.add(`${fromTokenAccount} ${mint}`, -amount);
      ownersMoved.add(`${fromUserAccount} ${mint}`, -amount);
    }
    if (toTokenAccount) {
      tokensMoved.add(`${toTokenAccount} ${mint}`, amount);
      ownersMoved.add(`${toUserAccount} ${mint}`, amount);
    }
  }
  const flat = (calls: readonly Call[], depth: number): string[] =>
    calls.flatMap(({ programId, accounts, data, innerInstructions = [] }) => [
      callLine(depth, programId, accounts, data),
      ...flat(innerInstructions, depth + 1),
    ]);
  return {
    signature: row.signature,
    slot: row.slot,
    time: row.timestamp,
    fee: row.fee,
    payer: row.feePayer,
    error: row.transactionError,
    lamports: row.accountData.map(({ account, nativeBalanceChange }) => `${account} ${nativeBalanceChange}`),
    tokens: tokens.lines(),
    lamportsMoved: lamportsMoved.lines(),
    tokensMoved: tokensMoved.lines(),
    ownersMoved: ownersMoved.lines(),
    calls: flat(row.instructions, 0),
  };
}

const callLine = (depth: number, program: string, accounts: readonly string[], data: string): string =>
  `${depth} ${program} ${accounts.join(' ')} ${data}`;

const errorText = (error: unknown): string | null =>
  error === null || typeof error === 'string' ? error : JSON.stringify(error);

const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111';
/** Vote, VoteSwitch, UpdateVoteState, CompactUpdateVoteState and TowerSync, and the Switch form of each. */
const CONSENSUS_VOTES = new Set([2, 6, 8, 9, 12, 13, 14, 15]);

/** Validators vote with transactions of one instruction; no history shows those. */
export function isConsensusVote({ transaction }: NodeTransaction): boolean {
  const { accountKeys, instructions } = transaction.message;
  const [only] = instructions;
  return (
    instructions.length === 1 &&
    accountKeys[only!.programIdIndex] === VOTE_PROGRAM &&
    CONSENSUS_VOTES.has(bs58.decode(only!.data)[0]!)
  );
}
