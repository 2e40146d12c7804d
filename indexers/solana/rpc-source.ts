import { PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import { z } from 'zod';
import {
  RpcError,
  type RpcCall,
  type RpcOutcome,
  type SolanaClient,
  type SolanaNode,
} from '../../contracts/ports/solana-client';
import { concurrentMap } from '../concurrent-map';
import type { RawTransaction } from './raw';
import { parseBlockResponse } from './raw-json';
import type { Absent, Found, SolanaSource } from './source';

const header = z.object({
  blockhash: z.string(),
  previousBlockhash: z.string(),
  parentSlot: z.number(),
  blockTime: z
    .number()
    .nullish()
    .transform(time => time ?? null),
});
/** Validates the outer shape only: validating every transaction costs more than decoding the few that are published. */
const block = header.extend({ transactions: z.custom<Iterable<RawTransaction>>(isList) });
const blockSignatures = header.extend({ signatures: z.array(z.string()) });
const transaction = z
  .object({
    slot: z.number(),
    transaction: z.looseObject({ signatures: z.array(z.string()) }),
    meta: z.custom<RawTransaction['meta']>(value => typeof value === 'object'),
    version: z.custom<RawTransaction['version']>().optional(),
  })
  .nullable();

/** Error codes of `getBlock` about the block, not about the node. */
const ABSENT: ReadonlyMap<number, Absent> = new Map([
  [-32001, 'pruned'], // BLOCK_CLEANED_UP
  [-32004, 'pending'], // BLOCK_NOT_AVAILABLE
  [-32007, 'skipped'], // SLOT_SKIPPED
  [-32009, 'skipped'], // LONG_TERM_STORAGE_SLOT_SKIPPED
  [-32014, 'pending'], // BLOCK_STATUS_NOT_AVAILABLE_YET
]);

/** Nodes refuse a whole block when it holds a transaction of a higher version than this. */
const NEWEST_VERSION = 1;

/** Read in one request: a transaction has up to 50 kB of JSON, the signatures of a block 200 kB. */
const MAX_TRANSACTIONS = 100;
const MAX_BLOCKS = 50;
const BATCHES_AT_ONCE = 4;

/** A Solana network over JSON-RPC: blocks and transactions by our own calls, the rest through `Connection`. */
export function rpcSource(client: SolanaClient): SolanaSource {
  const { withFailover: ask } = client;

  async function found<T>(read: (node: SolanaNode) => Promise<T | null>): Promise<Found<T>> {
    for (let tried = 1; ; tried++) {
      const outcome = await ask(node => orAbsent(() => read(node)));
      if (!('absent' in outcome && outcome.absent === 'pruned') || tried >= client.nodeCount) return outcome;
      client.useNextNode();
    }
  }

  const blockParams = (slot: number, commitment: string, transactionDetails: string): readonly unknown[] => [
    slot,
    {
      commitment,
      transactionDetails,
      encoding: 'json',
      rewards: false,
      maxSupportedTransactionVersion: NEWEST_VERSION,
    },
  ];
  const getBlock = (slot: number, commitment: string, transactionDetails: string) => (node: SolanaNode) =>
    node.rpc('getBlock', blockParams(slot, commitment, transactionDetails));

  /** Transactions that are parsed as they are read. When one is malformed, the next read asks the next node. */
  const wellFormed = (transactions: Iterable<RawTransaction>): Iterable<RawTransaction> => ({
    *[Symbol.iterator]() {
      try {
        yield* transactions;
      } catch (error) {
        client.useNextNode();
        throw error;
      }
    },
  });

  /** What many calls of a method answer, each read by `read`; `batchSize` calls at a time go to one node. */
  async function batched<T>(
    calls: readonly RpcCall[],
    batchSize: number,
    read: (outcome: RpcOutcome, index: number) => T,
  ): Promise<T[]> {
    const starts = Array.from({ length: Math.ceil(calls.length / batchSize) }, (_, n) => n * batchSize);
    const results: T[] = [];
    const readBatch = (at: number): Promise<T[]> =>
      ask(async node =>
        (await node.batch(calls.slice(at, at + batchSize))).map((outcome, n) => read(outcome, at + n)),
      );
    for await (const outcomes of concurrentMap(starts, BATCHES_AT_ONCE, readBatch)) results.push(...outcomes);
    return results;
  }

  return {
    slot: finality => ask(({ connection }) => connection.getSlot(finality)),
    slotHint: finality => client.hint(({ connection }) => connection.getSlot(finality)),
    slots: (from, to, finality) => client.hint(({ connection }) => connection.getBlocks(from, to, finality)),
    block: (slot, finality) =>
      found(async node => {
        const answer = await node.rpc('getBlock', blockParams(slot, finality, 'full'), {
          parse: parseBlockResponse,
        });
        const result = block.nullable().parse(answer);
        return result && { slot, ...result, transactions: wellFormed(result.transactions) };
      }),
    header: (slot, finality) =>
      found(async node => {
        const result = header.nullable().parse(await getBlock(slot, finality, 'none')(node));
        return result && { slot, ...result };
      }),
    async blockSignatures(slots, finality) {
      const see = (result: unknown, slot: number) => {
        const read = blockSignatures.nullable().parse(result);
        return read && { slot, ...read };
      };
      const calls = slots.map(slot => ({
        method: 'getBlock',
        params: blockParams(slot, finality, 'signatures'),
      }));
      const outcomes = await batched(calls, MAX_BLOCKS, (outcome, index) =>
        foundIn(() => see(resultOf(outcome), slots[index]!)),
      );
      // Another node may have what the one in use has pruned.
      return Promise.all(
        outcomes.map((outcome, index) => {
          const slot = slots[index]!;
          const isPruned = 'absent' in outcome && outcome.absent === 'pruned' && client.nodeCount > 1;
          return isPruned
            ? found(async node => see(await getBlock(slot, finality, 'signatures')(node), slot))
            : outcome;
        }),
      );
    },
    signatures: (account, { before, limit, minSlot }, finality) =>
      ask(({ connection }) =>
        connection.getSignaturesForAddress(
          new PublicKey(account),
          { limit, minContextSlot: minSlot, ...(before !== null && { before }) },
          finality,
        ),
      ),
    transactions: (signatures, commitment) => {
      const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: NEWEST_VERSION };
      const calls = signatures.map(signature => ({ method: 'getTransaction', params: [signature, options] }));
      return batched(calls, MAX_TRANSACTIONS, (outcome, index) => {
        const result = transaction.parse(resultOf(outcome));
        if (result === null) return null;
        const { slot, ...raw } = result;
        if (raw.transaction.signatures[0] !== signatures[index])
          throw new Error(`the answer for transaction ${signatures[index]} is about another one`);
        return { slot, raw: raw as unknown as RawTransaction };
      });
    },
    async tokenAccounts(owner) {
      const { value } = await client.getTokenAccounts(owner);
      return value.map(({ address }) => address);
    },
    waitForSlot: timeoutMs => client.waitForSlot(timeoutMs),
  };
}

/** True for what has replaced a list of JSON too. */
function isList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

async function orAbsent<T>(read: () => Promise<T | null>): Promise<Found<T>> {
  try {
    const result = await read();
    return foundIn(() => result);
  } catch (error) {
    return { absent: absenceIn(error) };
  }
}

function foundIn<T>(read: () => T | null): Found<T> {
  try {
    const result = read();
    return result === null ? { absent: 'pending' } : { found: result };
  } catch (error) {
    return { absent: absenceIn(error) };
  }
}

/** @throws the error, when it is not about the block */
function absenceIn(error: unknown): Absent {
  const code = error instanceof RpcError || error instanceof SolanaJSONRPCError ? error.code : undefined;
  const absent = typeof code === 'number' ? ABSENT.get(code) : undefined;
  if (absent === undefined) throw error;
  return absent;
}

/** @throws RpcError what the node answered instead */
function resultOf(outcome: RpcOutcome): unknown {
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}
