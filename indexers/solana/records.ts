import {
  type AccountFields,
  encodeSolanaDeadLetter,
  encodeSolanaMessage,
  encodeTransactionSeen,
  type Finality,
  type SharedFields,
  type SolanaMessage,
  type TransactionSeen,
} from '../../contracts/chain/solana';
import { JsonText } from '../../contracts/json/json-text';
import { accountKey, type SolanaNetwork } from '../../contracts/network/network';
import type { NewMessage } from '../../contracts/ports/log';
import { affectedAccounts, isConsensusVote, type Scope } from './affected-accounts';
import { DECODER_VERSION, decodeTransaction } from './decode/decode';
import { mintsByAccount } from './decode/mints';
import { accountKeys, type LazyBlock, type RawTransaction } from './raw';
import { transactionJson } from './raw-json';

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

/** The records of a block for the accounts of the scope. What cannot be decoded becomes a dead letter. @throws SyntaxError */
export function blockRecords(
  network: SolanaNetwork,
  block: LazyBlock,
  finality: Finality,
  scope: Scope,
): BlockRecords {
  const { slot, blockhash, blockTime } = block;
  const transactions: SeenTransaction[] = [];
  const deadLetters: NewMessage[] = [];
  const published: PublishedTransaction[] = [];
  let index = 0;
  for (const raw of block.transactions) {
    const origin = { network, slot, blockhash, blockTime, index: index++ };
    try {
      if (isConsensusVote(raw)) continue;
      const accounts = affectedAccounts(raw, scope);
      if (accounts.length === 0) continue;
      const seen = seenTransaction(origin, raw, accounts, finality, 'tail');
      transactions.push(seen);
      published.push({
        signature: seen.shared.signature,
        accounts: seen.accounts.map(({ account, mints }) => ({ account, mints })),
      });
    } catch (error) {
      deadLetters.push(deadLetter(origin, raw, error));
    }
  }
  return { records: transactionRecords(transactions), deadLetters, published };
}

/** A transaction as several accounts see it: what is the same for all, and what each has of its own. */
export interface SeenTransaction {
  readonly shared: SharedFields;
  readonly accounts: readonly AccountFields[];
}

/** @throws Error when the transaction cannot be decoded, so that who reads its messages can. */
export function seenTransaction(
  { network, slot, blockhash, blockTime, index }: RecordOrigin,
  raw: RawTransaction,
  accounts: readonly string[],
  finality: Finality,
  origin: TransactionSeen['origin'],
): SeenTransaction {
  const { signature } = decodeTransaction(raw, slot, blockTime);
  const keys = accountKeys(raw);
  const mints = mintsByAccount(raw);
  return {
    shared: {
      type: 'transaction',
      network,
      slot,
      blockhash,
      blockTime,
      index,
      signature,
      finality,
      origin,
      raw: new JsonText(transactionJson(raw)),
    },
    accounts: accounts.map(account => {
      const position = keys.indexOf(account);
      return {
        account,
        mentioned: position >= 0,
        balance: balanceAfter(raw, position),
        mints: mints.get(account) ?? [],
      };
    }),
  };
}

/** JSON numbers beyond 2^53 have lost digits, so such a balance is unknown. */
function balanceAfter({ meta }: RawTransaction, index: number): string | null {
  const lamports = meta?.postBalances[index];
  return lamports !== undefined && Number.isSafeInteger(lamports) ? String(lamports) : null;
}

const keyOf = (network: SolanaNetwork, account: string): string =>
  accountKey({ chain: 'solana', network, address: account });

export function newMessage(message: SolanaMessage): NewMessage {
  return { key: keyOf(message.network, message.account), value: encodeSolanaMessage(message) };
}

export function* transactionRecords(transactions: readonly SeenTransaction[]): Generator<NewMessage> {
  for (const { shared, accounts } of transactions) {
    const values = encodeTransactionSeen(shared, accounts);
    for (const [i, value] of values.entries())
      yield { key: keyOf(shared.network, accounts[i]!.account), value };
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
