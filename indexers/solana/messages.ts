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
import { concerned, isVote, type Scope } from './concern';
import { DECODER, decodeTransaction } from './decode/decode';
import { accountKeys, type RawBlock, type RawTransaction } from './raw';

/** What was told of one transaction, as far as taking it back needs to know. */
export interface Told {
  readonly signature: string;
  readonly accounts: readonly { readonly account: string; readonly mints: readonly string[] }[];
}

/** Where a transaction stands. */
export interface Place {
  readonly network: SolanaNetwork;
  readonly slot: number;
  readonly blockhash: string;
  readonly blockTime: number | null;
  readonly index: number;
}

export interface BlockMessages {
  /** Put into bytes as they are taken: each holds its whole transaction, a full block of them some 100 MB. */
  readonly messages: Iterable<NewMessage>;
  readonly deadLetters: readonly NewMessage[];
  readonly told: readonly Told[];
}

/** What a block says of the accounts of the scope. What cannot be decoded becomes a dead letter and stops nothing. */
export function blockMessages(
  network: SolanaNetwork,
  block: RawBlock,
  finality: Finality,
  scope: Scope,
): BlockMessages {
  const { slot, blockhash, blockTime } = block;
  const transactions: TransactionSeen[][] = [];
  const deadLetters: NewMessage[] = [];
  const told: Told[] = [];
  block.transactions.forEach((raw, index) => {
    const place = { network, slot, blockhash, blockTime, index };
    try {
      if (isVote(raw)) return;
      const accounts = concerned(raw, scope);
      if (accounts.length === 0) return;
      const seen = transactionMessages(place, raw, accounts, finality, 'tail');
      transactions.push(seen);
      const { signature } = seen[0]!;
      told.push({ signature, accounts: seen.map(({ account, mints }) => ({ account, mints })) });
    } catch (error) {
      deadLetters.push(deadLetter(place, raw, error));
    }
  });
  return { messages: newMessages(transactions), deadLetters, told };
}

/** One message per account; @throws Error when the transaction cannot be decoded. */
export function transactionMessages(
  place: Place,
  raw: RawTransaction,
  accounts: readonly string[],
  finality: Finality,
  origin: TransactionSeen['origin'],
): TransactionSeen[] {
  const decoded = decodeTransaction(raw, place.slot, place.blockTime);
  const keys = accountKeys(raw);
  return accounts.map(account => ({
    type: 'transaction',
    ...place,
    account,
    signature: decoded.signature,
    finality,
    origin,
    decoder: DECODER,
    decoded,
    balance: balanceAfter(raw, keys.indexOf(account)),
    mints: mintsOf(raw, keys, account),
    raw: raw as unknown as JsonObject,
  }));
}

/** JSON numbers beyond 2^53 have lost digits on the way, so such a balance is left unknown. */
function balanceAfter({ meta }: RawTransaction, index: number): string | null {
  const lamports = meta?.postBalances[index];
  return lamports !== undefined && Number.isSafeInteger(lamports) ? String(lamports) : null;
}

function mintsOf({ meta }: RawTransaction, keys: readonly string[], account: string): string[] {
  const balances = [...(meta?.preTokenBalances ?? []), ...(meta?.postTokenBalances ?? [])];
  const own = balances.filter(
    ({ accountIndex, owner }) => owner === account || keys[accountIndex] === account,
  );
  return [...new Set(own.map(({ mint }) => mint))];
}

const keyOf = ({ network, account }: SolanaMessage): string =>
  accountKey({ chain: 'solana', network, address: account });

export function newMessage(message: SolanaMessage): NewMessage {
  return {
    key: keyOf(message),
    value: encodeSolanaMessage(message),
  };
}

function* newMessages(transactions: readonly TransactionSeen[][]): Generator<NewMessage> {
  for (const seen of transactions) {
    const values = encodeTransactionSeen(seen);
    for (const [i, value] of values.entries()) yield { key: keyOf(seen[i]!), value };
  }
}

export function deadLetter(
  { network, slot, blockhash, index }: Omit<Place, 'blockTime'>,
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
      decoder: DECODER,
      raw,
    }),
  };
}

/** The same word, `finalized` or `rolled-back`, to everyone who was told of the transactions of a block. */
export function verdicts(
  type: 'finalized' | 'rolled-back',
  network: SolanaNetwork,
  { slot, blockhash }: { readonly slot: number; readonly blockhash: string },
  told: readonly Told[],
): NewMessage[] {
  return told.flatMap(({ signature, accounts }) =>
    accounts.map(({ account, mints }) =>
      newMessage({ type, network, account, signature, slot, blockhash, mints }),
    ),
  );
}
