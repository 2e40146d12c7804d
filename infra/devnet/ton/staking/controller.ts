import { Cell, type MessageRelaxed, internal, loadShardAccount, toNano } from '@ton/core';
import type { Logger } from 'pino';
import type { Block } from '../chain/block';
import type { Chain } from '../chain/chain';
import { Unavailable } from '../chain/mempool';
import { chainWallet } from '../chain-wallet';
import { ELECTOR_ADDRESS, type ElectorState, readElector } from '../elections/elector';
import { phaseKey } from '../elections/schedule';
import { type LocalStakingPool, localStakingPools, poolController } from './local-pools';
import { type PoolStep, nextStep } from './next-step';
import { readPool } from './pool-state';
import {
  acceptStakesBody,
  acceptWithdrawsBody,
  finalizeLockBody,
  signedStake,
  stakeRecoverBody,
  stakeSendBody,
} from './staking';

/** Nanotons that a pool asks of its controller. */
const ACCEPT_VALUE = toNano(5);
const STAKE_VALUE = toNano(2);
const RECOVER_VALUE = toNano(2);
const FINALIZE_VALUE = toNano('0.2');

/** In 65,536ths. */
const MAX_FACTOR = 3 << 16;

function messagesFor(step: PoolStep, pool: LocalStakingPool, queryId: bigint): MessageRelaxed[] {
  const to = pool.address;
  switch (step.type) {
    case 'accept':
      return [
        ...(step.withdraws.length > 0 ? [acceptWithdrawsBody(step.withdraws, queryId)] : []),
        ...(step.deposits.length > 0 ? [acceptStakesBody(step.deposits, queryId)] : []),
      ].map(body => internal({ to, value: ACCEPT_VALUE, body }));
    case 'stake': {
      const { stakeAt, amount } = step;
      const candidate = { publicKey: pool.key.publicKey, stakeAt, maxFactor: MAX_FACTOR, adnl: pool.adnl };
      const signature = pool.key.sign(signedStake(candidate, pool.proxy));
      return [
        internal({ to, value: STAKE_VALUE, body: stakeSendBody(amount, candidate, signature, queryId) }),
      ];
    }
    case 'finalize':
      return [internal({ to, value: FINALIZE_VALUE, body: finalizeLockBody(queryId) })];
    case 'recover':
      return [internal({ to, value: RECOVER_VALUE, body: stakeRecoverBody(queryId) })];
  }
}

/**
 * Has the pools of a local network do after each block what is due. It knows nothing but what is on the chain: a network that
 * stops at any point, or is rolled back, goes on from there.
 */
export function controlPools(chain: Chain, logger: Logger): void {
  const { wallet, key } = poolController(chain.network);
  const send = chainWallet(chain, wallet, key);
  const due = stepsDue(chain);
  let isBusy = false;

  async function work(): Promise<void> {
    if (isBusy) return;
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

  chain.onBlock(() => void work());
  chain.onRollback(due.forget);
}

/** Messages for what is due, each once as long as its pool does not change. */
function stepsDue(chain: Chain) {
  const pools = localStakingPools(chain.network).map(pool => ({
    pool,
    read: accountReader(chain, pool.address.toRawString(), readPool),
  }));
  const readElectorAt = accountReader(chain, ELECTOR_ADDRESS, readElector);
  /** By pool: the last step, and the phase and the state that it was for. A pool may refuse it, or the elector the stake. */
  const tried = new Map<LocalStakingPool, string>();

  return {
    next(): MessageRelaxed[] {
      const tip = chain.tip();
      const { utime } = tip;
      const phase = chain.elections.phaseAt(utime);
      const elector = (): ElectorState | undefined => readElectorAt(tip)?.value;
      return pools.flatMap(({ pool, read }) => {
        const state = read(tip);
        if (!state) return [];
        const step = nextStep(state.value, {
          utime,
          elections: chain.elections,
          phase,
          election: () => elector()?.election ?? null,
          hasCredit: () => elector()?.hasCredit(pool.proxy.hash) ?? false,
        });
        if (!step) return [];
        const attempt = `${step.type} ${phaseKey(phase)} ${state.hash}`;
        if (tried.get(pool) === attempt) return [];
        tried.set(pool, attempt);
        return messagesFor(step, pool, BigInt(utime));
      });
    },
    forget: () => tried.clear(),
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
