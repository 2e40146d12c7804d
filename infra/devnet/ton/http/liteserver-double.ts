import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestHandler, Router } from 'express';
import type { Cell } from '@ton/core';
import { LRUCache } from 'lru-cache';
import { proveInMasterchain } from '../../../../contracts/chain/ton-masterchain-proof';
import { TON_GLOBAL_IDS } from '../../../../contracts/network/network';
import { type Block, blocksOfShard, masterchainRef, type NamedBlock } from '../chain/block';
import { storedBlocks } from '../chain/block-cells/stored-block';
import type { Chain } from '../chain/chain';
import { contains, WHOLE } from '../chain/shards';
import { BadRequest } from './answer';

/** How late it answers. */
const [MIN_DELAY_MS, MAX_DELAY_MS] = [100, 250];
/** Requests at once, and a second: more than without a key. */
const [BURST, PER_SECOND] = [5, 5];
/** Blocks that it has said it does not know yet. */
const MAX_ASKED = 1_000;

const ID = /^\((-?\d{1,10}),([0-9a-fA-F]{16}),(\d{1,10}),([0-9a-fA-F]{64}),([0-9a-fA-F]{64})\)$/;

interface AskedId {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly rootHash: string;
  readonly fileHash: string;
}

/**
 * A double of TonAPI's lite server endpoints with the blocks of the local network, written from api/openapi.yml and the handlers of
 * tonkeeper/opentonapi: late, 429 for who asks often, and 404 at first for the newest blocks, which lite servers do not have as soon
 * as others name them. Hashes and shards are asked for in either case, and answered in lower case.
 */
export function liteserverDoubleRoutes({ ledger, network, tip }: Chain): Router {
  const router = Router();
  const asked = new LRUCache<string, true>({ max: MAX_ASKED });
  const cellsOf = (block: Block): ReadonlyMap<string, Cell> =>
    storedBlocks(ledger, TON_GLOBAL_IDS[network], block.seqno);

  /** The block of the masterchain that added a block, or is it. */
  function addedBy({ workchain, shard, seqno }: AskedId): Block | null {
    if (workchain === -1) return shard === WHOLE ? ledger.block(seqno) : null;
    // Seqnos of blocks that follow each other ascend, also where shards split and merge.
    const newest = (at: number): number =>
      Math.max(
        ...ledger
          .block(at)!
          .shards.filter(part => contains(part.shard, shard) || contains(shard, part.shard))
          .map(part => part.seqno),
      );
    let [low, high] = [0, tip().seqno];
    if (newest(high) < seqno) return null;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (newest(middle) >= seqno) high = middle;
      else low = middle + 1;
    }
    return ledger.block(low);
  }

  /** @throws BadRequest 404 as for what a lite server does not have (yet) */
  function find(id: AskedId): {
    readonly by: Block;
    readonly named: readonly NamedBlock[];
    readonly cell: Cell;
  } {
    const by = id.workchain === 0 || id.workchain === -1 ? addedBy(id) : null;
    const named = by ? (id.workchain === -1 ? [masterchainRef(by)] : blocksOfShard(by, id.shard)) : [];
    const found = named.find(
      each =>
        each.shard === id.shard &&
        each.ref.seqno === id.seqno &&
        each.ref.rootHash.toString('hex') === id.rootHash &&
        each.ref.fileHash.toString('hex') === id.fileHash,
    );
    const cell = found && cellsOf(by!).get(found.ref.rootHash.toString('base64'));
    if (!cell) throw new BadRequest('lite server error code 651: block is not in db', 404);
    const isNew = by!.seqno === tip().seqno && !asked.has(id.rootHash);
    asked.set(id.rootHash, true);
    if (isNew) throw new BadRequest('lite server error code 651: block is not in db', 404);
    return { by: by!, named, cell };
  }

  router.use('/v2/liteserver', slowed(), limited());

  router.get('/v2/liteserver/get_block/:id', (request, response) => {
    const id = idOf(request.params.id);
    const { cell } = find(id);
    response.json({ id: rawId(id), data: cell.toBoc().toString('hex') });
  });

  router.get('/v2/liteserver/get_shard_block_proof/:id', (request, response) => {
    const id = idOf(request.params.id);
    const { by, named } = find(id);
    if (id.workchain === -1) {
      // There is nothing to prove.
      response.json({ masterchain_id: rawId(id), links: [] });
      return;
    }
    const cells = cellsOf(by);
    const { masterchain, previous } = proveInMasterchain(
      cells.get(by.rootHash.toString('base64'))!,
      hash => cells.get(hash.toString('base64')) ?? null,
      { account: `0:${id.shard.padEnd(64, '0')}`, rootHash: Buffer.from(id.rootHash, 'hex') },
    )!;
    const proofs = [masterchain, ...previous];
    const links = named.slice(0, proofs.length).map((each, at) => ({
      id: rawId(idOfNamed(0, each)),
      proof: proofs[at]!.toBoc().toString('hex'),
    }));
    response.json({ masterchain_id: rawId(idOfNamed(-1, masterchainRef(by))), links });
  });

  return router;
}

const idOfNamed = (workchain: number, { shard, ref }: NamedBlock): AskedId => ({
  workchain,
  shard,
  seqno: ref.seqno,
  rootHash: ref.rootHash.toString('hex'),
  fileHash: ref.fileHash.toString('hex'),
});

const rawId = ({ workchain, shard, seqno, rootHash, fileHash }: AskedId): object => ({
  workchain,
  shard,
  seqno,
  root_hash: rootHash,
  file_hash: fileHash,
});

function idOf(text: string): AskedId {
  const [, workchain, shard, seqno, rootHash, fileHash] = ID.exec(text) ?? [];
  if (fileHash === undefined) throw new BadRequest('input does not match format');
  return {
    workchain: Number(workchain),
    shard: shard!.toLowerCase(),
    seqno: Number(seqno),
    rootHash: rootHash!.toLowerCase(),
    fileHash: fileHash.toLowerCase(),
  };
}

function slowed(): RequestHandler {
  return async (_request, _response, next) => {
    await sleep(MIN_DELAY_MS + Math.random() * (MAX_DELAY_MS - MIN_DELAY_MS));
    next();
  };
}

function limited(): RequestHandler {
  let left = BURST;
  let at = performance.now();
  return (_request, response, next) => {
    const now = performance.now();
    left = Math.min(BURST, left + ((now - at) / 1_000) * PER_SECOND);
    at = now;
    if (left >= 1) {
      left -= 1;
      next();
    } else response.status(429).set('retry-after', '1').json({ error: 'rate limit exceeded' });
  };
}
