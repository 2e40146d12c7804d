import { join } from 'node:path';
import { compileContract } from '../../../test/devnet/compile-func';
import { FACTORY_CODE, POOL_CODE } from './dex/code';
import { ELECTOR_CODE } from './elections/code';
import { MINTER_CODE, WALLET_CODE } from './jetton/code';
import { MINTLESS_MINTER_CODE, MINTLESS_WALLET_CODE } from './mintless/code';
import { COLLECTION_CODE, ITEM_CODE } from './nft/code';
import { LIQUID_POOL_CODE, LIQUID_WALLET_CODE } from './staking/liquid/code';
import { STAKED_MINTER_CODE, STAKED_WALLET_CODE, VAULT_CODE } from './usde/code';
import { POOL_CODE as NOMINATOR_POOL_CODE, PROXY_CODE } from './staking/code';

it.each([
  ['dex', 'dex-factory.fc', FACTORY_CODE],
  ['dex', 'dex-pool.fc', POOL_CODE],
  ['elections', 'elector.fc', ELECTOR_CODE],
  ['jetton', 'jetton-minter.fc', MINTER_CODE],
  ['jetton', 'jetton-wallet.fc', WALLET_CODE],
  ['mintless', 'mintless-minter.fc', MINTLESS_MINTER_CODE],
  ['mintless', 'mintless-wallet.fc', MINTLESS_WALLET_CODE],
  ['nft', 'nft-collection.fc', COLLECTION_CODE],
  ['nft', 'nft-item.fc', ITEM_CODE],
  ['staking', 'masterchain-proxy.fc', PROXY_CODE],
  ['staking', 'nominator-pool.fc', NOMINATOR_POOL_CODE],
  ['staking/liquid', 'liquid-pool.fc', LIQUID_POOL_CODE],
  ['staking/liquid', 'liquid-wallet.fc', LIQUID_WALLET_CODE],
  ['usde', 'staked-minter.fc', STAKED_MINTER_CODE],
  ['usde', 'staked-wallet.fc', STAKED_WALLET_CODE],
  ['usde', 'vault.fc', VAULT_CODE],
])('%s/%s compiles to the code that is deployed', async (folder, target, code) => {
  const compiled = await compileContract(join(__dirname, folder), target);
  expect(compiled.hash().toString('hex')).toBe(code.hash().toString('hex'));
});
