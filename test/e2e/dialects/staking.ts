import { get, post, type Row } from './requests';

const NONE = { balance: '0', pendingDeposit: '0', pendingWithdraw: '0', withdraw: '0' };
const POSITIVE = expect.stringMatching(/^[1-9]\d*$/);

/** The rows of "Staking (main backend)" and "Staking indexer", but for those that need prices of two days. */
export const STAKING_ROWS: readonly Row[] = [
  {
    row: 'POST /staking/member/info',
    accepts: ({ stakes }) => stakes,
    ask: ({ network, staking: { staker, pool, liquidPool, stakedUsde } }) => ({
      // The app sends all that it can stake in, nominator pools or not.
      app: post('/staking/member/info', {
        isTestnet: network === 'testnet',
        address: staker,
        pools: [pool, liquidPool, stakedUsde],
      }),
      spec: null,
      says: { [pool]: { withdraw: '0' }, [liquidPool]: NONE, [stakedUsde]: NONE },
    }),
  },
  {
    row: 'POST /staking/member/liquid/info',
    accepts: ({ liquidMember }) => liquidMember,
    ask: ({ network, staking: { liquidStaker, rawLiquidStaker, liquidPool } }) => ({
      app: post('/staking/member/liquid/info', { isTestnet: network === 'testnet', address: liquidStaker }),
      spec: post('/staking/member/liquid/info', {
        isTestnet: network === 'testnet',
        address: rawLiquidStaker,
      }),
      says: { owner: liquidStaker, master: liquidPool },
    }),
  },
  {
    row: 'GET /staking/{network}/pool/liquid/info',
    accepts: ({ liquidPool }) => liquidPool,
    ask: ({ network, staking: { liquidPool } }) => ({
      app: get(`/staking/${network}/pool/liquid/info`),
      spec: null,
      // The specification names one of the two proxies.
      says: { extras: { address: liquidPool, proxyStakeUntil: expect.any(Number) } },
    }),
  },
  {
    row: 'GET /usde/{network}/rate',
    accepts: ({ usdeRate }) => usdeRate,
    ask: ({ network }) => ({
      app: get(`/usde/${network}/rate`),
      spec: null,
      says: { usdeRate: expect.any(Number) },
    }),
  },
  {
    row: 'POST /usde/staking/member/liquid/info',
    accepts: ({ usdeMember }) => usdeMember,
    ask: ({ network, staking: { usdeStaker, stakedUsde } }) => ({
      app: post('/usde/staking/member/liquid/info', {
        isTestnet: network === 'testnet',
        address: usdeStaker,
      }),
      spec: null,
      says: { balance: POSITIVE, owner: usdeStaker, minter: stakedUsde },
    }),
  },
  {
    row: 'GET /status/{network}',
    accepts: ({ stakingStatus }) => stakingStatus,
    ask: ({ network }) => ({
      // Of mainnet with the slash.
      app: get(`/staking-indexer/status/${network === 'testnet' ? network : ''}`),
      spec: get(`/staking-indexer/status/${network}`),
      says: { status: { data: { electionsHistory: expect.any(Array) } } },
    }),
  },
  {
    row: 'POST /indexer/nominator',
    accepts: ({ nominator }) => nominator,
    ask: ({ staking: { staker, pool } }) => ({
      app: post('/staking-indexer/indexer/nominator', { pool, addr: staker }),
      spec: post('/staking-indexer/indexer/nominator', { pool, addr: staker, fixedPeriod: 'all' }),
      says: { nominator: { totalDepositAmount: POSITIVE } },
    }),
  },
  {
    row: 'POST /indexer/pool/apy',
    accepts: ({ poolApy }) => poolApy,
    ask: ({ staking: { pool } }) => ({
      app: post('/staking-indexer/indexer/pool/apy', { address: pool, fixedPeriod: 'week' }),
      spec: null,
      says: expect.any(Array),
    }),
  },
];

/** Those that need prices of two days. */
export const ROWS_AFTER_A_DAY: readonly Row[] = [
  {
    row: 'GET /usde/{network}/apy',
    accepts: ({ usdeApy }) => usdeApy,
    ask: ({ network }) => ({
      app: get(`/usde/${network}/apy`),
      spec: null,
      says: { apy: expect.stringMatching(/^\d+\.\d{4}$/), from: { usdeRate: expect.any(Number) } },
    }),
  },
];
