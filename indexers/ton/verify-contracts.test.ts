import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { createContractVerifier } from './verify-contracts';

const [OWN, STRANGER] = [`0:${'aa'.repeat(32)}`, `0:${'bb'.repeat(32)}`];
const none = { jettonWallets: [], nftItems: [], stakingPools: [] };
const client = {
  getLastBlock: async () => Promise.reject(new Error('the node is not asked')),
  runMethod: async () => Promise.reject(new Error('the node is not asked')),
};

it('knows the pools of the network and those of operators, without asking anybody', async () => {
  const verify = createContractVerifier(client, 'mainnet', [OWN]);
  const [known, another] = [NOMINATOR_POOLS.mainnet[0]!, NOMINATOR_POOLS.testnet[0]!];
  expect(await verify({ ...none, stakingPools: [OWN, STRANGER, known, another] }, null)).toEqual({
    jettonWallets: {},
    contracts: { [OWN]: 'staking_pool', [known]: 'staking_pool' },
  });
});
