import {
  encodeSolanaDeadLetter,
  encodeSolanaMessage,
  encodeTransactionSeen,
  type Finality,
  type SolanaMessage,
  type TransactionSeen,
} from '../../contracts/chain/solana';
import type { JsonObject } from '../../contracts/json';
import { accountKey, type SolanaNetwork } from '../../contracts/network';
import type { NewMessage } from '../../contracts/ports/log';
import { affectedAccounts, isConsensusVote, type Scope } from './affected-accounts';
import { DECODER_VERSION, decodeTransaction } from './decode/decode';
import { accountKeys, type RawBlock, type RawTransaction } from './raw';

/** What is needed to retract a published transaction. */
export interface PublishedTransaction {
  readonly signature: string;
  readonly accounts: readonly { readonly account: string; readonly mints: readonly string[] }[];
}

/** The block that a transaction is in, and its index there. */
export interface RecordOrigin {
  readonly network: SolanaNetwork;
  readonly slot: number;
  readonly blockhash: string;
  readonly blockTime: number | null;
  readonly index: number;
}

export interface BlockRecords {
  /** Encoded lazily: each contains its whole transaction, and those of a full block are about 100 MB. */
  readonly records: Iterable<NewMessage>;
  readonly deadLetters: readonly NewMessage[];
  readonly published: readonly PublishedTransaction[];
}

/** The records of a block for the accounts of the scope. What cannot be decoded becomes a dead letter. */
export function blockRecords(
  network: SolanaNetwork,
  block: RawBlock,
  finality: Finality,
  scope: Scope,
): BlockRecords {
  const { slot, blockhash, blockTime } = block;
  const transactions: TransactionSeen[][] = [];
  const deadLetters: NewMessage[] = [];
  const published: PublishedTransaction[] = [];
  block.transactions.forEach((raw, index) => {
    const origin = { network, slot, blockhash, blockTime, index };
    try {
      if (isConsensusVote(raw)) return;
      const accounts = affectedAccounts(raw, scope);
      if (accounts.length === 0) return;
      const seen = transactionMessages(origin, raw, accounts, finality, 'tail');
      transactions.push(seen);
      const { signature } = seen[0]!;
      published.push({ signature, accounts: seen.map(({ account, mints }) => ({ account, mints })) });
    } catch (error) {
      deadLetters.push(deadLetter(origin, raw, error));
    }
  });
  return { records: transactionRecords(transactions), deadLetters, published };
}

/** One message per account; @throws Error when the transaction cannot be decoded, so that who reads them can. */
export function transactionMessages(
  { network, slot, blockhash, blockTime, index }: RecordOrigin,
  raw: RawTransaction,
  accounts: readonly string[],
  finality: Finality,
  origin: TransactionSeen['origin'],
): TransactionSeen[] {
  const { signature } = decodeTransaction(raw, slot, blockTime);
  const keys = accountKeys(raw);
  const mints = mintsByAccount(raw, keys);
  return accounts.map(account => {
    const position = keys.indexOf(account);
    return {
      type: 'transaction',
      network,
      slot,
      blockhash,
      blockTime,
      index,
      account,
      signature,
      finality,
      origin,
      mentioned: position >= 0,
      balance: balanceAfter(raw, position),
      mints: [...(mints.get(account) ?? [])],
      raw: raw as unknown as JsonObject,
    };
  });
}

/** JSON numbers beyond 2^53 have lost digits, so such a balance is unknown. */
function balanceAfter({ meta }: RawTransaction, index: number): string | null {
  const lamports = meta?.postBalances[index];
  return lamports !== undefined && Number.isSafeInteger(lamports) ? String(lamports) : null;
}

/** The mints of the token accounts that are, or are owned by, each account. */
function mintsByAccount({ meta }: RawTransaction, keys: readonly string[]): Map<string, Set<string>> {
  const mints = new Map<string, Set<string>>();
  for (const balances of [meta?.preTokenBalances, meta?.postTokenBalances])
    for (const { accountIndex, owner, mint } of balances ?? [])
      for (const account of [keys[accountIndex], owner])
        if (account !== undefined) mints.set(account, (mints.get(account) ?? new Set()).add(mint));
  return mints;
}

const keyOf = ({ network, account }: SolanaMessage): string =>
  accountKey({ chain: 'solana', network, address: account });

export function newMessage(message: SolanaMessage): NewMessage {
  return { key: keyOf(message), value: encodeSolanaMessage(message) };
}

function* transactionRecords(transactions: readonly TransactionSeen[][]): Generator<NewMessage> {
  for (const seen of transactions) {
    const values = encodeTransactionSeen(seen);
    for (const [i, value] of values.entries()) yield { key: keyOf(seen[i]!), value };
  }
}

export function deadLetter(
  { network, slot, blockhash, index }: Omit<RecordOrigin, 'blockTime'>,
  raw: unknown,
  error: unknown,
): NewMessage {
  return {
    key: `solana:${network}:${slot}`,
    value: encodeSolanaDeadLetter({
      network,
      slot,
      blockhash,
      index,
      reason: String(error),
      decoder: DECODER_VERSION,
      raw,
    }),
  };
}

/** Records that the published transactions of a block are final or were rolled back, one for each affected account. */
export function outcomeRecords(
  type: 'finalized' | 'rolled-back',
  network: SolanaNetwork,
  { slot, blockhash }: { readonly slot: number; readonly blockhash: string },
  published: readonly PublishedTransaction[],
): NewMessage[] {
  return published.flatMap(({ signature, accounts }) =>
    accounts.map(({ account, mints }) =>
      newMessage({ type, network, account, signature, slot, blockhash, mints }),
    ),
  );
}
