import { Buffer } from 'node:buffer';
import { Address, Cell } from '@ton/core';
import { z } from 'zod';
import { isBehind } from '../../../contracts/chain/ton-block-age';
import type { VerifiedSources } from '../../../contracts/network/network-identity';
import { firstRoots } from './first-roots';
import { createHttpClient, type HttpClientOptions } from './http-client';
import { SourceError, type MasterBlock, type TonSource } from '../source';
import { subscribeToBlocks } from './block-notifications';

const Latest = z.object({ last: z.object({ seqno: z.number() }), now: z.number().optional() });

const Shard = z.object({
  workchain: z.number(),
  shard: z.string(),
  seqno: z.number(),
  rootHash: z.string(),
  transactions: z.array(z.object({ account: z.string(), hash: z.string(), lt: z.string() })),
});

const Block = z.union([
  z.object({ exist: z.literal(false) }),
  z.object({ exist: z.literal(true), block: z.object({ shards: z.array(Shard) }) }),
]);

const Account = z.object({
  account: z.object({ last: z.object({ lt: z.string(), hash: z.string() }).nullable() }),
});

const Page = z.object({ boc: z.string() });

const MASTERCHAIN = -1;

const raw = (address: string): string => Address.parse(address).toRawString();
const friendly = (address: string): string => Address.parseRaw(address).toString();

/** @param seqno null for any block */
function masterBlock(seqno: number | null, json: unknown): MasterBlock | null {
  const response = Block.parse(json);
  if (!response.exist) return null;
  const shards = response.block.shards.map(shard => ({
    ...shard,
    transactions: shard.transactions.map(tx => ({ ...tx, account: raw(tx.account) })),
  }));
  const master = shards.find(shard => shard.workchain === MASTERCHAIN);
  if (!master || (seqno ?? master.seqno) !== master.seqno)
    throw new Error(`the response for block ${seqno} is about another block`);
  return { seqno: master.seqno, rootHash: master.rootHash, shards };
}

/**
 * Reads a v4 server (tonwhales/ton-api-v4). Not through TonClient4, which decodes whole pages, so that one unknown
 * transaction would make the page unreadable, and whose calls cannot be aborted.
 */
export function createV4Source(options: HttpClientOptions): TonSource & VerifiedSources {
  const http = createHttpClient(options);
  const blocks = subscribeToBlocks(options.endpoints, http.onConnected);

  /** Reads the newest block of the endpoint in use; one that is behind fails, so that the next is used, unless all of them are. */
  function newest(): (json: unknown) => number {
    const behind: number[] = [];
    return json => {
      const { last, now } = Latest.parse(json);
      if (now === undefined || !isBehind({ now }, new Date())) return last.seqno;
      behind.push(last.seqno);
      if (behind.length < options.endpoints.length) throw new Error('the newest block is minutes old');
      return Math.max(...behind);
    };
  }

  return {
    verifySources: http.verifySources,
    unreadableSources: http.unreadableSources,
    tip: signal => http.get('/block/latest', newest(), signal, 'answer'),
    block: (seqno, signal) => http.get(`/block/${seqno}`, json => masterBlock(seqno, json), signal),
    last: (account, seqno, signal) =>
      http.get(`/block/${seqno}/${friendly(account)}/lite`, json => Account.parse(json).account.last, signal),
    transactions: (account, { lt, hash }, signal, max = Infinity) => {
      const urlSafe = Buffer.from(hash, 'base64').toString('base64url');
      return http.get(
        `/account/${friendly(account)}/tx/${lt}/${urlSafe}`,
        json => {
          const cells = Cell.fromBoc(firstRoots(Buffer.from(Page.parse(json).boc, 'base64'), max));
          if (cells[0]?.hash().toString('base64') !== hash)
            throw new Error('the page does not begin with the requested transaction');
          return cells;
        },
        signal,
        'hash',
      );
    },
    blockAt: (utime, signal) =>
      http
        .get(`/block/utime/${utime}`, json => masterBlock(null, json), signal)
        .catch((error: unknown) => {
          signal.throwIfAborted();
          // The real server fails instead of answering that it has no such block.
          if (error instanceof SourceError) return null;
          throw error;
        }),
    waitForBlock: blocks.waitForBlock,
    async close() {
      blocks.close();
      await http.close();
    },
  };
}
