import { TON_NETWORKS } from '../../../../contracts/network/network';
import { tonTransactions } from '../../../../projections/ton/transactions/queries';
import { earnedFees } from '../../../../services/billing/earned/reaction';
import { jobsOfEvents } from '../../../../services/reactions/event-reaction';
import { ownedPoolEarnings } from '../../../../services/staking/owned-pools/earnings';
import { keepShares } from '../../../../services/staking/owned-pools/keep-shares';
import { networkMode, networkSetting } from '../../../config/network-settings';
import type { Feature, ProgramDeps, Worker } from '../../feature';
import { exclusively, jobHandlers } from '../../roles/jobs';
import { roundReaders } from '../staking';
import { ownedPools } from '../ton-contracts';

/** What pools pay, and so what is booked. */
const CURRENCY = 'TON';

const earnings = earnedFees(ownedPoolEarnings);

const networksOf = (deps: ProgramDeps) => {
  const owned = ownedPools(deps.config);
  return deps.networks.followed.ton.filter(network => owned[network].length > 0);
};

/** Records shares, and reports which settings name no pool. */
const recording: Worker = {
  role: 'jobs',
  async start(deps) {
    const { engine, handle, clock, logger } = deps;
    const networks = networksOf(deps);
    // Without any it would end at once, and be restarted for ever.
    if (networks.length === 0) return {};
    const noPools = new Set<string>();
    const keeping = {
      ...roundReaders(deps),
      views: engine.views,
      transactions: tonTransactions(engine.views),
      pools: ownedPools(deps.config),
      networks,
      handle,
      clock,
      logger,
      onLook(address: string, isPool: boolean) {
        if (isPool) noPools.delete(address);
        else if (!noPools.has(address)) {
          noPools.add(address);
          logger.warn({ address }, 'OWNED_STAKING_POOLS names what is no nominator pool');
        }
      },
    };
    const worker = jobHandlers('owned_staking_pools', () => [
      exclusively(deps, 'owned-staking-pools', signal => keepShares(keeping, signal)),
    ]);
    const { checks = [], ...component } = await worker.start(deps);
    const areThere = {
      name: 'owned_staking_pools',
      vital: false,
      run: async () =>
        noPools.size === 0 ? null : `OWNED_STAKING_POOLS: no nominator pool at ${[...noPools].join(', ')}`,
    };
    return { ...component, checks: [...checks, areThere] };
  },
};

/** The share of the owner of the staking pools that the instance owns, as fees of the ledger. */
export const ownedStakingPools: Feature = {
  name: 'owned-staking-pools',
  checkSettings(config, context) {
    const owned = ownedPools(config);
    for (const network of TON_NETWORKS) {
      const path = [`OWNED_STAKING_POOLS_${network.toUpperCase()}`];
      if (owned[network].length === 0) continue;
      const at = { chain: 'ton', network } as const;
      if (networkMode(config, at) === 'off')
        context.addIssue({
          code: 'custom',
          path,
          message: `nobody sees the rounds of TON ${network}, which is off (${networkSetting(at)}=off)`,
        });
      if (config.INSTANCE_CURRENCY !== CURRENCY)
        context.addIssue({
          code: 'custom',
          path,
          message: `shares are booked in ${CURRENCY}, and INSTANCE_CURRENCY is ${config.INSTANCE_CURRENCY}`,
        });
    }
  },
  reactions: () => [earnings],
  reenqueue: ({ engines: { store } }) => [{ name: earnings.name, jobs: () => jobsOfEvents(store, earnings) }],
  workers: [recording],
};
