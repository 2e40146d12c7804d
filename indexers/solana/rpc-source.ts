import { PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import { z } from 'zod';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs';
import { RpcError, type SolanaClient, type SolanaNode } from '../../contracts/ports/solana-client';
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
/** Validates the outer shape only: validating every transaction costs more than decoding the few that are published. */
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

  const getBlock = (slot: number, commitment: string, transactionDetails: string) => (node: SolanaNode) =>
    node.rpc('getBlock', [
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
    expectGenesis: hash => client.expectGenesis(hash),
    slot: finality => ask(({ connection }) => connection.getSlot(finality)),
    slots: (from, to, finality) => ask(({ connection }) => connection.getBlocks(from, to, finality)),
    block: (slot, finality) =>
      found(async node => {
        const result = block.nullable().parse(await getBlock(slot, finality, 'full')(node));
        return result && { slot, ...result };
      }),
    header: (slot, finality) =>
      found(async node => {
        const result = header.nullable().parse(await getBlock(slot, finality, 'none')(node));
        return result && { slot, ...result };
      }),
    blockSignatures: (slot, finality) =>
      found(async node => {
        const result = blockSignatures.nullable().parse(await getBlock(slot, finality, 'signatures')(node));
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
      ask(async node => {
        const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: NEWEST_VERSION };
        const result = transaction.parse(await node.rpc('getTransaction', [signature, options]));
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
    waitForSlot: timeoutMs => client.waitForSlot(timeoutMs),
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
