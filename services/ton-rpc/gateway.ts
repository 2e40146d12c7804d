import { LRUCache } from 'lru-cache';
import type { LatestBlock } from '../../contracts/chain/ton-v4';
import { shareOf } from '../../contracts/bound';
import { createFairSemaphore, TooManyWaiting } from '../../contracts/fair-semaphore';
import { immutable } from '../../contracts/http/immutable-response';
import { JsonText } from '../../contracts/json/json-text';
import type { NodeRead, TonNodes } from '../../contracts/ports/ton-nodes';
import { Problem } from '../../contracts/problem/problem';

export interface GatewayOptions {
  readonly nodes: TonNodes;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Bytes of answers that are cached. */
  readonly maxCachedBytes: number;
  /** Age of the newest block after which it is read again; default 1,000. */
  readonly latestTtlMs?: number;
}

/** Who asks. */
export interface Asker {
  /** Whose turn it is when a node is asked. */
  readonly caller: string;
  /** Called before a node is asked: what it throws is the answer to the caller, and only to that one. */
  admit(): Promise<void>;
}

/** Of a network: as many as its nodes are asked at a time, and those that wait. */
export const NODE_READS_AT_ONCE = 64;
export const MAX_WAITING_NODE_READS = 1_000;

export interface NewestBlock {
  readonly block: LatestBlock;
  readonly body: JsonText<LatestBlock>;
}

/**
 * Answers of the nodes of a network. What is as of a block never changes and is cached, the newest block for a second; the same
 * question at the same time is asked once. A block that the network does not have yet is not asked for. Callers take turns where more is asked
 * than the nodes answer: TooManyWaiting is thrown for the newest question of the one with most.
 */
export interface Gateway {
  /** While no node answers, the last one known: `ageMs` is 0 otherwise. */
  latest(): Promise<NewestBlock & { readonly ageMs: number }>;
  /** As `latest`, at most this old. */
  newest(maxAgeMs: number): Promise<NewestBlock>;
  /** What is as of a block. Null when no node has it. */
  asOf<Answer>(seqno: number, read: NodeRead<Answer>, asker: Asker): Promise<JsonText<Answer> | null>;
  /** What is as of a time in Unix seconds, which more blocks may have until it has passed. */
  atTime<Answer>(utime: number, read: NodeRead<Answer>, asker: Asker): Promise<JsonText<Answer> | null>;
  /** What its hash identifies. */
  byHash<Answer>(read: NodeRead<Answer>, asker: Asker): Promise<JsonText<Answer> | null>;
}

/** Between two reads of the newest block that are caused by questions about a later one. */
const MIN_PAUSE_MS = 100;
/** Of an entry beside its text. */
const ENTRY_BYTES = 600;

interface CacheContext {
  readonly read: NodeRead<unknown>;
  readonly asker: Asker;
  /** Whether the node is asked for this caller; others wait with it. */
  isFirst: boolean;
}
/** Answers by their path, each serialised once. */
type Cache = LRUCache<string, JsonText<unknown>, CacheContext>;

export function createGateway({ nodes, now, maxCachedBytes, latestTtlMs = 1_000 }: GatewayOptions): Gateway {
  const semaphore = createFairSemaphore({
    maxConcurrent: NODE_READS_AT_ONCE,
    maxWaiting: MAX_WAITING_NODE_READS,
    share: shareOf(NODE_READS_AT_ONCE),
  });
  const openCache = (): Cache =>
    new LRUCache<string, JsonText<unknown>, CacheContext>({
      maxSize: maxCachedBytes,
      // The text, and the bytes that are sent.
      sizeCalculation: ({ text }, path) => ENTRY_BYTES + path.length + 2 * text.length,
      perf: { now },
      ttlResolution: 0,
      ignoreFetchAbort: true,
      async fetchMethod(path, _stale, { context }) {
        context.isFirst = true;
        const { asker, read } = context;
        await asker.admit();
        const answer = await semaphore.run({ caller: asker.caller, key: path }, () => nodes.read(read));
        return answer === null ? undefined : bodyOf(answer);
      },
    });
  let cache = openCache();
  let known: NewestBlock | null = null;
  let answeredAt = -Infinity;
  let reading: Promise<NewestBlock> | null = null;

  nodes.onReplaced(() => {
    cache = openCache();
    known = null;
  });

  async function readNewest(): Promise<NewestBlock> {
    const before = cache;
    const block = await nodes.latest();
    // It may be of a node that still has the blocks that others have replaced meanwhile.
    if (cache !== before) return readNewest();
    // The network does not go back: a node that answers with an older block lags.
    if (!known || block.last.seqno > known.block.last.seqno) known = { block, body: bodyOf(block) };
    answeredAt = now();
    return known;
  }

  async function newest(maxAgeMs: number): Promise<NewestBlock> {
    if (known && now() - answeredAt < maxAgeMs) return known;
    reading ??= readNewest().finally(() => (reading = null));
    return reading;
  }

  /** Whether a node may have what is as of a block. */
  async function exists(seqno: number): Promise<boolean> {
    if (known && seqno <= known.block.last.seqno) return true;
    return seqno <= (await newest(MIN_PAUSE_MS)).block.last.seqno;
  }

  const hitOf = <Answer>({ path }: NodeRead<Answer>) => cache.get(path) as JsonText<Answer> | undefined;
  async function cached<Answer>(
    read: NodeRead<Answer>,
    asker: Asker,
    ttl?: number,
  ): Promise<JsonText<Answer> | null> {
    const context: CacheContext = { read, asker, isFirst: false };
    try {
      const fetching = cache.fetch(read.path, { context, ...(ttl !== undefined && { ttl }) });
      // Another caller may have asked for it, whose turn comes later.
      semaphore.join(read.path, asker.caller);
      return ((await fetching) as JsonText<Answer> | undefined) ?? null;
    } catch (error) {
      // The caller that this one has waited with was not admitted, or has too many questions.
      if ((error instanceof Problem || error instanceof TooManyWaiting) && !context.isFirst)
        return cached(read, asker, ttl);
      throw error;
    }
  }

  return {
    newest,
    async latest() {
      try {
        return { ...(await newest(latestTtlMs)), ageMs: 0 };
      } catch (error) {
        if (!known) throw error;
        return { ...known, ageMs: now() - answeredAt };
      }
    },
    async asOf(seqno, read, asker) {
      const hit = hitOf(read);
      if (hit) return hit;
      // Seqno 0 is the zerostate, which is not a block.
      return seqno > 0 && (await exists(seqno)) ? cached(read, asker) : null;
    },
    async atTime(utime, read, asker) {
      const hit = hitOf(read);
      if (hit) return hit;
      let { block } = await newest(latestTtlMs);
      if (utime >= block.now) ({ block } = await newest(MIN_PAUSE_MS));
      if (utime > block.now) return null;
      return cached(read, asker, utime === block.now ? latestTtlMs : undefined);
    },
    byHash: cached,
  };
}

const bodyOf = <T>(answer: T): JsonText<T> => immutable(new JsonText<T>(JSON.stringify(answer)));
