import { createHash } from 'node:crypto';
import { Cell } from '@ton/core';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { MAX_PREVIOUS } from '../../../contracts/chain/ton-masterchain-proof';
import { readJson } from '../../../contracts/json/read-json';
import { BlocksUnavailable, type TonBlockId, type TonBlocks } from '../../../contracts/ports/ton-blocks';
import { inTime } from '../../../contracts/retry/in-time';
import { messageOf } from '../../../contracts/text/error-message';
import { withoutTrailingSlashes } from '../../../contracts/url/trailing-slashes';
import { COMPRESSED, HttpError, ResponseTooLarge, responseText } from '../../../indexers/http-response';
import { createFailover } from '../failover';

export interface LiteserverApiOptions {
  /** It answers under `/v2/liteserver` after it: neither a query nor a fragment. Redirects are not followed. */
  readonly url: string;
  readonly key: string | undefined;
  /** For one request; default 10,000. */
  readonly timeoutMs?: number;
  /** Of one read; default 8. */
  readonly attempts?: number;
  /** Before the second attempt, growing from there; default 250. */
  readonly backoffMs?: number;
  readonly signal: AbortSignal;
}

/** A block has at most 2 MiB (configuration parameters 22 and 23 of the mainnet), and is sent in hex. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Of a block of so many bytes, several times over: reading them holds up the process. */
const MAX_CELLS = 200_000;

const hash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'a hash in hex')
  .toLowerCase();
/**
 * Digits in either case, those of a shard with or without leading zeros. The first versions of opentonapi are refused: their
 * hashes are JSON texts that are written in hex once more, and their shards are numbers, which readers of JSON round.
 */
const blockRaw = z
  .object({
    workchain: z.int(),
    shard: z
      .string()
      .regex(/^[0-9a-fA-F]{1,16}$/, 'up to 16 hex digits')
      .transform(digits => digits.toLowerCase().padStart(16, '0')),
    seqno: z.int().min(0),
    root_hash: hash,
    file_hash: hash,
  })
  .transform(({ workchain, shard, seqno, root_hash, file_hash }): TonBlockId => ({
    workchain,
    shard,
    seqno,
    rootHash: root_hash,
    fileHash: file_hash,
  }));
const blockAnswer = z.object({ data: z.string().regex(/^(?:[0-9a-fA-F]{2})+$/, 'hex') });
const proofAnswer = z.object({
  masterchain_id: blockRaw,
  links: z.array(z.object({ id: blockRaw })).max(MAX_PREVIOUS + 1),
});

/** Statuses that may be others soon: a block that is not known yet, too many requests, and a server that failed. */
const isFinal = (error: Error): boolean =>
  error instanceof ResponseTooLarge ||
  (error instanceof HttpError && error.status < 500 && error.status !== 404 && error.status !== 429);

/**
 * Blocks by the lite server endpoints of TonAPI (`/v2/liteserver` in api/openapi.yml of tonkeeper/opentonapi), of tonapi.io or of an
 * own one. A lite server itself speaks ADNL, for which there is no client among our dependencies: this is HTTP, and has the same
 * blocks. Its proofs are not used: ours are made of the blocks, as those of the local networks are.
 */
export function createLiteserverApi(options: LiteserverApiOptions): TonBlocks {
  const { key, timeoutMs = 10_000, attempts = 8, backoffMs = 250 } = options;
  const url = withoutTrailingSlashes(options.url);
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const dispatcher = new Agent({ connect: { timeout: timeoutMs } });
  const failover = createFailover({
    endpoints: [url],
    attempts,
    backoffMs,
    // Without a key TonAPI takes one request a second.
    maxConcurrent: 1,
    isRefusal: isFinal,
    pauseMs: error => (error instanceof HttpError ? error.retryAfterMs : null),
    signal,
  });

  async function read<Answer>(
    method: string,
    id: TonBlockId,
    parse: (json: unknown) => Answer,
  ): Promise<Answer> {
    const path = `/v2/liteserver/${method}/${encodeURIComponent(idText(id))}`;
    try {
      return await failover.run(host =>
        inTime({ timeoutMs, signal }, async ending => {
          const headers = { ...COMPRESSED, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
          const response = await request(host + path, { dispatcher, signal: ending, headers });
          return parse(readJson(await responseText(response, MAX_BYTES)));
        }),
      );
    } catch (error) {
      throw new BlocksUnavailable(`${method} of ${nameOf(id)}: ${reasonOf(error).slice(0, 300)}`);
    }
  }

  return {
    block: id => read('get_block', id, json => cellOf(id, blockAnswer.parse(json).data)),
    wayFromMasterchain: id =>
      read('get_shard_block_proof', id, json => {
        const { masterchain_id: masterchain, links } = proofAnswer.parse(json);
        const later = links.map(link => link.id).filter(({ rootHash }) => rootHash !== id.rootHash);
        return { masterchain, later };
      }),
    async close() {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}

/** How many cells the header of a bag says that it has (`serialized_boc` of boc.tlb). */
function cellCount(boc: Buffer): number {
  const size = boc.readUInt8(4) & 7;
  return boc.readUIntBE(6, size);
}

/** Without what the source has answered, which may repeat the key. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is no JSON';
  return error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
}

/** As opentonapi reads it: the shard in hex. */
const idText = ({ workchain, shard, seqno, rootHash, fileHash }: TonBlockId): string =>
  `(${workchain},${shard},${seqno},${rootHash},${fileHash})`;

const nameOf = ({ workchain, shard, seqno }: TonBlockId): string => `(${workchain},${shard},${seqno})`;

/** @throws for other cells than those of the block */
function cellOf({ rootHash, fileHash }: TonBlockId, hex: string): Cell {
  const boc = Buffer.from(hex, 'hex');
  // Before they are read, which takes the longer the more they are.
  if (createHash('sha256').update(boc).digest('hex') !== fileHash)
    throw new Error('the bytes are not those of the block');
  if (cellCount(boc) > MAX_CELLS) throw new Error('more cells than a block has');
  const [cell, ...others] = Cell.fromBoc(boc);
  if (!cell || others.length > 0) throw new Error('not one cell');
  if (cell.hash(0).toString('hex') !== rootHash || cell.level() !== 0)
    throw new Error(`the cells have the hash ${cell.hash(0).toString('hex')}, not ${rootHash}`);
  return cell;
}
