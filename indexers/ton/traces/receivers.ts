import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { TonSource } from '../source';
import { readChain } from '../transaction-chain';
import { traceNode, type TraceNode } from './node';

/** What is known of the chain of an account. */
export interface ReceiverChain {
  /** In no particular order. */
  readonly nodes: readonly TraceNode[];
  /** It was read to its beginning: there is none, or the account was created then. */
  readonly isWhole: boolean;
}

/**
 * The transactions of an account that are newer than a logical time, as far as the bound of pages allows; also older ones.
 */
export type ReadReceiver = (account: string, sinceLt: string, signal: AbortSignal) => Promise<ReceiverChain>;

interface KnownChain {
  readonly nodes: TraceNode[];
  /** The newest transaction that was not read; null when the chain is known to its beginning. */
  next: TransactionRef | null;
  pagesLeft: number;
}

/** Transactions in memory; beyond it the chains that were read first are dropped. */
const MAX_CACHED = 20_000;

export interface ReceiversOptions {
  readonly source: TonSource;
  /** Pages read of each account, each time that its chain is not in memory. */
  readonly maxPages: number;
  /** The masterchain block whose newest transactions to begin with. */
  readonly seqno: number;
}

/**
 * Finds the transactions that messages caused, by paging each receiver's chain back from its newest transaction. Pages are
 * cached, so a series of questions that goes back in time costs each page once.
 */
export function receivers({ source, maxPages, seqno }: ReceiversOptions): ReadReceiver {
  const chains = new Map<string, Promise<KnownChain>>();
  let cached = 0;

  async function begin(account: string, signal: AbortSignal): Promise<KnownChain> {
    return { nodes: [], next: await source.last(account, seqno, signal), pagesLeft: maxPages };
  }

  async function readDownTo(
    account: string,
    chain: KnownChain,
    lt: bigint,
    signal: AbortSignal,
  ): Promise<KnownChain> {
    while (chain.next && BigInt(chain.next.lt) > lt && chain.pagesLeft > 0) {
      chain.pagesLeft--;
      for await (const links of readChain(source, account, chain.next, signal)) {
        const nodes = links.flatMap(({ cell }) => traceNode(account, cell) ?? []);
        chain.nodes.push(...nodes);
        cached += nodes.length;
        const { prev } = links.at(-1)!.header;
        chain.next = prev.lt === '0' ? null : prev;
        break;
      }
    }
    return chain;
  }

  async function dropOldest(): Promise<void> {
    for (const [account, chain] of chains) {
      if (cached <= MAX_CACHED) return;
      chains.delete(account);
      cached -= await chain.then(
        ({ nodes }) => nodes.length,
        () => 0,
      );
    }
  }

  return async (account, sinceLt, signal) => {
    const before = chains.get(account) ?? begin(account, signal);
    // One after another for each account, so that no page is read twice.
    const after = before.then(chain => readDownTo(account, chain, BigInt(sinceLt), signal));
    chains.set(account, after);
    try {
      const { nodes, next } = await after;
      await dropOldest();
      return { nodes, isWhole: next === null };
    } catch (error) {
      chains.delete(account);
      throw error;
    }
  };
}
