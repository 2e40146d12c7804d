import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS, type Finality } from '../../contracts/chain/solana';
import type { SolanaNetwork } from '../../contracts/network';
import type { Documents } from '../../contracts/ports/documents';
import type { Log, NewMessage } from '../../contracts/ports/log';
import { NO_OUTLOOK, storeFrontier, tipOf, type Frontier, type OpenBlock, type Outlook } from './frontier';
import { Hole } from './hole';
import { blockMessages, verdicts, type BlockMessages } from './messages';
import type { Scope } from './concern';
import type { RawBlock } from './raw';
import type { SolanaIndexerHooks } from './status';

/** Moves the frontier, telling the log first: every step can be cut off anywhere and done again. */
export interface Publisher {
  readonly frontier: Frontier;
  /** The highest slot that the scope has been applied to: an account that joins later has not been looked for up to there. */
  readonly scanned: number;
  /** Publishes a block whose parent is the tip, and makes it the tip. */
  append(block: RawBlock, finality: Finality): Promise<void>;
  /** The open blocks up to the slot, inclusive, are final. */
  finalize(slot: number): Promise<void>;
  /** The tip was abandoned: takes back what was told of it and makes its parent the tip. @throws Hole when it was final. */
  abandonTip(): Promise<void>;
  /** What the tail sees ahead: stored with the next step, or at once when it is the first look or a hole opens or closes. */
  see(outlook: Outlook): Promise<void>;
}

const CHUNK = 500;

function* chunks(messages: Iterable<NewMessage>): Generator<NewMessage[]> {
  let chunk: NewMessage[] = [];
  for (const message of messages)
    if (chunk.push(message) === CHUNK) {
      yield chunk;
      chunk = [];
    }
  if (chunk.length > 0) yield chunk;
}

export function createPublisher(deps: {
  readonly network: SolanaNetwork;
  readonly scope: Scope;
  readonly log: Log;
  readonly documents: Documents;
  readonly hooks: SolanaIndexerHooks;
  readonly frontier: Frontier;
}): Publisher {
  const { network, scope, log, documents, hooks } = deps;
  let frontier = deps.frontier;
  let scanned = tipOf(frontier).slot;

  let outlook = NO_OUTLOOK;

  const store = async (to: Frontier): Promise<void> => {
    frontier = await storeFrontier(documents, network, frontier, to, outlook);
  };
  const publish = async (topic: string, messages: Iterable<NewMessage>): Promise<number> => {
    let published = 0;
    for (const chunk of chunks(messages)) {
      await log.publish(topic, chunk);
      published += chunk.length;
    }
    return published;
  };
  const tell = async (messages: Iterable<NewMessage>): Promise<void> => {
    const published = await publish(SOLANA_TRANSACTIONS.name, messages);
    hooks.published?.(published);
  };
  const publishBlock = async ({ messages, deadLetters }: BlockMessages): Promise<void> => {
    await tell(messages);
    await publish(SOLANA_DEAD_LETTERS.name, deadLetters);
    if (deadLetters.length > 0) hooks.deadLettered?.(deadLetters.length);
  };

  /**
   * Moves nothing but the fence. What is said of a chain twice does no harm, but a verdict of a process that has been
   * left behind would: it may have followed another fork than its successor.
   */
  const assertAlone = (): Promise<void> => store(frontier);

  /** Takes back the ghosts that the next block of the chain proves dead. */
  async function exorcise(next: RawBlock): Promise<void> {
    const dead = frontier.ghosts.filter(
      ({ slot, blockhash }) => slot < next.slot || (slot === next.slot && blockhash !== next.blockhash),
    );
    if (dead.length === 0) return;
    await assertAlone();
    await tell(dead.flatMap(ghost => verdicts('rolled-back', network, ghost, ghost.told)));
    await store({ ...frontier, ghosts: frontier.ghosts.filter(ghost => !dead.includes(ghost)) });
  }

  async function finalize(slot: number): Promise<void> {
    const settled = frontier.open.filter(block => block.slot <= slot);
    const last = settled.at(-1);
    if (!last) return;
    await tell(settled.flatMap(block => verdicts('finalized', network, block, block.told)));
    const finalized = { slot: last.slot, blockhash: last.blockhash };
    await store({ ...frontier, finalized, open: frontier.open.slice(settled.length) });
  }

  return {
    get frontier() {
      return frontier;
    },
    get scanned() {
      return scanned;
    },
    finalize,
    async append(block, finality) {
      const { slot, blockhash } = block;
      scanned = Math.max(scanned, slot);
      await exorcise(block);
      const content = blockMessages(network, block, finality, scope);
      const without = (ghosts: readonly OpenBlock[]) => ghosts.filter(ghost => ghost.blockhash !== blockhash);
      if (finality === 'finalized') {
        await finalize(slot); // its ancestors are
        await publishBlock(content);
        await store({ ...frontier, finalized: { slot, blockhash }, ghosts: without(frontier.ghosts) });
        return;
      }
      const opened = { slot, blockhash, told: content.told };
      // What is about to be told must be known even if we die right after: the block may be abandoned meanwhile.
      if (content.told.length > 0)
        await store({ ...frontier, ghosts: [...without(frontier.ghosts), opened] });
      await publishBlock(content);
      await store({ ...frontier, open: [...frontier.open, opened], ghosts: without(frontier.ghosts) });
    },
    async abandonTip() {
      const { open, finalized } = frontier;
      const tip = open.at(-1);
      if (!tip)
        throw new Hole(finalized.slot, `final block ${finalized.blockhash} is no ancestor of what follows`);
      await assertAlone();
      await tell(verdicts('rolled-back', network, tip, tip.told));
      hooks.rolledBack?.(tip.slot);
      await store({ ...frontier, open: open.slice(0, -1) });
    },
    async see(seen) {
      const { newest, hole } = outlook;
      outlook = seen;
      const same = hole?.slot === seen.hole?.slot && hole?.reason === seen.hole?.reason;
      if (newest === null || !same) await store(frontier);
    },
  };
}
