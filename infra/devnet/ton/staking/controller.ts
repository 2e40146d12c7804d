import { type Address, Cell, type MessageRelaxed, loadShardAccount } from '@ton/core';
import type { Logger } from 'pino';
import type { Block } from '../chain/block';
import type { Chain } from '../chain/chain';
import { Unavailable } from '../chain/mempool';
import { chainWallet } from '../chain-wallet';
import { ELECTOR_ADDRESS, readElector } from '../elections/elector';
import { phaseKey } from '../elections/schedule';
import { liquidMessage } from './liquid/liquid-message';
import { readLiquidPool } from './liquid/liquid-state';
import { OWN_SUPPLY, localLiquidPool } from './liquid/local-liquid-pool';
import { nextLiquidStep } from './liquid/next-liquid-step';
import { localStakingPools, poolController } from './local-pools';
import { type ChainView, nextStep } from './next-step';
import { poolMessages } from './pool-messages';
import { readPool } from './pool-state';

/**
 * Has the pools of a local network do after each block what is due. It knows nothing but what is on the chain: a network that
 * stops at any point, or is rolled back, goes on from there.
 * @returns a function that resolves once nothing is read from the chain any more, after it has stopped
 */
export function controlPools(chain: Chain, logger: Logger): () => Promise<void> {
  const { wallet, key } = poolController(chain.network);
  const send = chainWallet(chain, wallet, key);
  const due = stepsDue(chain);
  let isBusy = false;
  let working = Promise.resolve();

  async function work(): Promise<void> {
    isBusy = true;
    try {
      for (let messages = due.next(); messages.length > 0; messages = due.next()) {
        const receipt = await send(messages);
        if (!receipt.included) logger.warn({ reason: receipt.reason }, 'pools not controlled');
      }
    } catch (error) {
      // The network is stopping.
      if (!(error instanceof Unavailable)) logger.warn({ err: error }, 'pools not controlled');
    } finally {
      isBusy = false;
    }
  }

  chain.onBlock(() => {
    if (!isBusy) working = work();
  });
  chain.onRollback(due.forget);
  return () => working;
}

/** What is due for a pool now. */
interface DueStep {
  readonly pool: Address;
  /** The same for the same step in the same state of the pool. */
  readonly id: string;
  messages(queryId: bigint): MessageRelaxed[];
}

type View = Omit<ChainView, 'hasCredit'> & { hasCredit(account: Buffer): boolean };

/** Messages for what is due, each once as long as its pool does not change. */
function stepsDue(chain: Chain) {
  const pools = [...nominatorPools(chain), liquidPool(chain)];
  const readElectorAt = accountReader(chain, ELECTOR_ADDRESS, readElector);
  /** By pool: the last step, and the phase and the state that it was for. A pool may refuse it, or the elector the stake. */
  const tried = new Map<Address, string>();

  return {
    next(): MessageRelaxed[] {
      const tip = chain.tip();
      const { utime } = tip;
      const { elections } = chain;
      const phase = elections.phaseAt(utime);
      const view: View = {
        utime,
        elections,
        phase,
        election: () => readElectorAt(tip)?.value.election ?? null,
        hasCredit: account => readElectorAt(tip)?.value.hasCredit(account) ?? false,
      };
      return pools.flatMap(dueOf => {
        const step = dueOf(tip, view);
        if (!step) return [];
        const attempt = `${phaseKey(phase)} ${step.id}`;
        if (tried.get(step.pool) === attempt) return [];
        tried.set(step.pool, attempt);
        return step.messages(BigInt(utime));
      });
    },
    forget: () => tried.clear(),
  };
}

type DueOf = (tip: Block, view: View) => DueStep | null;

const nominatorPools = (chain: Chain): readonly DueOf[] =>
  localStakingPools(chain.network).map(pool => {
    const read = accountReader(chain, pool.address.toRawString(), readPool);
    return (tip, view) => {
      const state = read(tip);
      const step =
        state && nextStep(state.value, { ...view, hasCredit: () => view.hasCredit(pool.proxy.hash) });
      if (!step) return null;
      const id = `${step.type} ${state.hash}`;
      return { pool: pool.address, id, messages: queryId => poolMessages(step, pool, queryId) };
    };
  });

function liquidPool(chain: Chain): DueOf {
  const pool = localLiquidPool(chain.network);
  const read = accountReader(chain, pool.address.toRawString(), readLiquidPool);
  return (tip, view) => {
    const state = read(tip);
    const step =
      state &&
      nextLiquidStep(state.value, {
        ...view,
        hasCredit: proxy => view.hasCredit(pool.validators[proxy].proxy.hash),
        ownSupply: OWN_SUPPLY,
      });
    if (!step) return null;
    const id = `${step.type} ${state.hash}`;
    return { pool: pool.address, id, messages: queryId => [liquidMessage(step, pool, queryId)] };
  };
}

/** Reads the data of a contract, and parses it when it has changed. */
function accountReader<T>(chain: Chain, address: string, parse: (data: Cell) => T) {
  let known: { readonly boc: Buffer; readonly hash: string; readonly value: T } | null = null;
  return ({ seqno }: Pick<Block, 'seqno'>) => {
    const boc = chain.ledger.account(address, seqno);
    if (!boc) return null;
    if (known?.boc.equals(boc)) return known;
    const account = loadShardAccount(Cell.fromBoc(boc)[0]!.beginParse()).account;
    const data = account?.storage.state.type === 'active' ? account.storage.state.state.data : null;
    known = data ? { boc, hash: data.hash().toString('hex'), value: parse(data) } : null;
    return known;
  };
}
