import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS, type Finality } from '../../contracts/chain/solana';
import type { SolanaNetwork } from '../../contracts/network';
import type { Documents } from '../../infra/documents/port';
import type { Log, NewMessage } from '../../infra/log/port';
import { storeFrontier, tipOf, type Frontier, type OpenBlock } from './frontier';
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
}

const CHUNK = 500;

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

  const store = async (to: Frontier): Promise<void> => {
    await storeFrontier(documents, network, frontier, to);
    frontier = to;
  };
  const publish = async (topic: string, messages: readonly NewMessage[]): Promise<void> => {
    for (let at = 0; at < messages.length; at += CHUNK)
      await log.publish(topic, messages.slice(at, at + CHUNK));
  };
  const tell = async (messages: readonly NewMessage[]): Promise<void> => {
    await publish(SOLANA_TRANSACTIONS.name, messages);
    hooks.published?.(messages.length);
  };
  const publishBlock = async ({ messages, deadLetters }: BlockMessages): Promise<void> => {
    await tell(messages);
    await publish(SOLANA_DEAD_LETTERS.name, deadLetters);
    if (deadLetters.length > 0) hooks.deadLettered?.(deadLetters.length);
  };

  /** Takes back the ghosts that the next block of the chain proves dead. */
  async function exorcise(next: RawBlock): Promise<void> {
    const dead = frontier.ghosts.filter(
      ({ slot, blockhash }) => slot < next.slot || (slot === next.slot && blockhash !== next.blockhash),
    );
    if (dead.length === 0) return;
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
      await tell(verdicts('rolled-back', network, tip, tip.told));
      hooks.rolledBack?.(tip.slot);
      await store({ ...frontier, open: open.slice(0, -1) });
    },
  };
}
