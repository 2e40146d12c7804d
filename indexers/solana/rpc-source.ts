import { PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import { z } from 'zod';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs';
import type { Endpoint, Endpoints } from './endpoints';
import { RpcError } from './json-rpc';
import type { RawTransaction } from './raw';
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
/** The outer shape only: checking every transaction of a block costs more than decoding the few that matter. */
const block = header.extend({ transactions: z.custom<readonly RawTransaction[]>(Array.isArray) });
const blockSignatures = header.extend({ signatures: z.array(z.string()) });
const transaction = z
  .object({
    slot: z.number(),
    transaction: z.custom<RawTransaction['transaction']>(
      value => typeof value === 'object' && value !== null,
    ),
    meta: z.custom<RawTransaction['meta']>(value => typeof value === 'object'),
    version: z.custom<RawTransaction['version']>().optional(),
  })
  .nullable();

/** Error codes of `getBlock` that say something of the block and not of the node. */
const ABSENT: ReadonlyMap<number, Absent> = new Map([
  [-32001, 'pruned'], // BLOCK_CLEANED_UP
  [-32004, 'pending'], // BLOCK_NOT_AVAILABLE
  [-32007, 'skipped'], // SLOT_SKIPPED
  [-32009, 'skipped'], // LONG_TERM_STORAGE_SLOT_SKIPPED
  [-32014, 'pending'], // BLOCK_STATUS_NOT_AVAILABLE_YET
]);

/** Nodes refuse a whole block when it holds a transaction of a higher version than this. */
const NEWEST_VERSION = 1;

/** A Solana network over JSON-RPC: blocks and transactions by our own calls, the rest through `Connection`. */
export function rpcSource(endpoints: Endpoints): SolanaSource {
  const { ask } = endpoints;

  async function found<T>(read: (endpoint: Endpoint) => Promise<T | null>): Promise<Found<T>> {
    for (let tried = 1; ; tried++) {
      const outcome = await ask(endpoint => orAbsent(() => read(endpoint)));
      if (!('absent' in outcome && outcome.absent === 'pruned') || tried >= endpoints.count) return outcome;
      endpoints.turn();
    }
  }

  const getBlock = (slot: number, commitment: string, transactionDetails: string) => (endpoint: Endpoint) =>
    endpoint.rpc('getBlock', [
      slot,
      {
        commitment,
        transactionDetails,
        encoding: 'json',
        rewards: false,
        maxSupportedTransactionVersion: NEWEST_VERSION,
      },
    ]);

  return {
    genesisHash: () => ask(({ connection }) => connection.getGenesisHash()),
    expectGenesis: hash => endpoints.expectGenesis(hash),
    slot: finality => ask(({ connection }) => connection.getSlot(finality)),
    slots: (from, to, finality) => ask(({ connection }) => connection.getBlocks(from, to, finality)),
    block: (slot, finality) =>
      found(async endpoint => {
        const result = block.nullable().parse(await getBlock(slot, finality, 'full')(endpoint));
        return result && { slot, ...result };
      }),
    header: (slot, finality) =>
      found(async endpoint => {
        const result = header.nullable().parse(await getBlock(slot, finality, 'none')(endpoint));
        return result && { slot, ...result };
      }),
    blockSignatures: (slot, finality) =>
      found(async endpoint => {
        const result = blockSignatures
          .nullable()
          .parse(await getBlock(slot, finality, 'signatures')(endpoint));
        return result && { slot, ...result };
      }),
    signatures: (account, { before, limit }, finality) =>
      ask(({ connection }) =>
        connection.getSignaturesForAddress(
          new PublicKey(account),
          { limit, ...(before !== null && { before }) },
          finality,
        ),
      ),
    transaction: (signature, commitment) =>
      ask(async endpoint => {
        const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: NEWEST_VERSION };
        const result = transaction.parse(await endpoint.rpc('getTransaction', [signature, options]));
        if (result === null) return null;
        const { slot, ...raw } = result;
        return { slot, raw: raw as RawTransaction };
      }),
    async tokenAccounts(owner) {
      const ofProgram = (program: string) =>
        ask(({ connection }) =>
          connection.getParsedTokenAccountsByOwner(new PublicKey(owner), {
            programId: new PublicKey(program),
          }),
        );
      const [token, token2022] = await Promise.all([ofProgram(TOKEN_PROGRAM), ofProgram(TOKEN_2022_PROGRAM)]);
      return [...token.value, ...token2022.value].map(({ pubkey }) => pubkey.toBase58());
    },
    woken: timeout => endpoints.woken(timeout),
  };
}

async function orAbsent<T>(read: () => Promise<T | null>): Promise<Found<T>> {
  try {
    const result = await read();
    return result === null ? { absent: 'pending' } : { found: result };
  } catch (error) {
    const code = error instanceof RpcError || error instanceof SolanaJSONRPCError ? error.code : undefined;
    const absent = typeof code === 'number' ? ABSENT.get(code) : undefined;
    if (absent === undefined) throw error;
    return { absent };
  }
}
