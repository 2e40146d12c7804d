import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost } from '../../../contracts/engine/cache-bounds';
import { decodeSolanaMessage, SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import { decodeTonMessage, TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { cardDepositStream } from '../../../contracts/events/card-deposit';
import { accountRef } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { LogMessage } from '../../../contracts/ports/log';
import type { MessageReaction } from '../../reactions/message-reaction';
import { load } from '../../commands/load';
import { inclusionOf, retractionOf } from '../account/top-up';
import { cardDepositKind, type CardDeposit } from './decider';
import { tonDeposit } from './ton-deposit';
import { ATTEMPTS_FOR_A_WEEK } from '../../../contracts/ports/jobs';

/** Most transfers are of accounts that are no card's, and that have many. */
const MAX_KNOWN = 100_000;

interface Assignment {
  readonly deposit: CardDeposit | null;
}

export const CARD_TOP_UPS = 'card-top-ups';

const deposit = { accountId: z.string(), address: accountRef };

/** A transfer on TON, one on Solana with where it is included, as its amount is read from the documents, or one that is no more. */
export const topUpJob = z.discriminatedUnion('type', [
  z.object({
    ...deposit,
    type: z.literal('ton'),
    hash: z.string(),
    lt: z.string(),
    amount: z.string(),
    at: z.iso.datetime(),
  }),
  z.object({
    ...deposit,
    type: z.literal('solana'),
    signature: z.string(),
    blockhash: z.string(),
  }),
  /** The chain does not have the transaction there any more. */
  z.object({
    ...deposit,
    type: z.literal('retracted'),
    transaction: z.string(),
    /** Where it was included; null on TON. */
    blockhash: z.string().nullable().default(null),
  }),
]);
export type TopUpJob = z.output<typeof topUpJob>;

/**
 * Starts a job for each final transfer to an address of an account of a card, and for each that turned out not to be on the chain: on TON at
 * once, since transactions are final; on Solana when the block is.
 */
export function cardTopUps(store: Pick<EventStore, 'readStream'>): MessageReaction {
  // Nobody pays to an address before it is assigned, as nobody knows it then: what is found, or is not, stays so.
  const known = new LRUCache<string, Assignment>(atMost(MAX_KNOWN));
  const assignmentOf = async (address: string): Promise<CardDeposit | null> => {
    const before = known.get(address);
    if (before) return before.deposit;
    const deposit = await load(store, cardDepositKind, cardDepositStream(address));
    known.set(address, { deposit });
    return deposit;
  };
  return {
    name: CARD_TOP_UPS,
    topics: [TON_TRANSACTIONS.name, SOLANA_TRANSACTIONS.name],
    from: 'beginning',
    async jobs(message) {
      const found = message.topic === TON_TRANSACTIONS.name ? ofTon(message) : ofSolana(message);
      if (!found) return [];
      const assigned = await assignmentOf(message.key);
      if (assigned === null) return [];
      const { accountId, address } = assigned;
      const { id, ...job } = found;
      const data = { ...job, accountId, address } as TopUpJob;
      return [{ queue: CARD_TOP_UPS, id: `${message.key}/${id}`, data, attempts: ATTEMPTS_FOR_A_WEEK }];
    },
  };
}

type WithoutAccount<Job> = Job extends unknown ? Omit<Job, 'accountId' | 'address'> : never;
type Found = WithoutAccount<TopUpJob> & { readonly id: string };

function ofTon({ value }: LogMessage): Found | null {
  const message = decodeTonMessage(value);
  if (message.type === 'retracted') return retracted(message.hash, null);
  const found = tonDeposit(message);
  if (!found) return null;
  const { hash, lt, amount, time } = found;
  return { id: hash, type: 'ton', hash, lt, amount, at: new Date(time * 1_000).toISOString() };
}

function ofSolana({ value }: LogMessage): Found | null {
  const message = decodeSolanaMessage(value);
  if (message.type === 'retracted') return retracted(message.signature, message.blockhash);
  const isFinal =
    message.type === 'finalized' || (message.type === 'transaction' && message.finality === 'finalized');
  if (!isFinal) return null;
  const { signature, blockhash } = message;
  return { id: inclusionOf(signature, blockhash), type: 'solana', signature, blockhash };
}

const retracted = (transaction: string, blockhash: string | null): Found => ({
  id: retractionOf(inclusionOf(transaction, blockhash)),
  type: 'retracted',
  transaction,
  blockhash,
});
