import { join } from 'node:path';
import { Cell, beginCell, internal, loadShardAccount, storeShardAccount, toNano } from '@ton/core';
import { clientOf, quietDevnet } from '../../../../test/devnet/ton';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { until } from '../../../../test/until';
import { openDatabase } from '../../../engines/sqlite/database';
import { openLedger } from '../chain/ledger';
import { ELECTOR_ADDRESS } from '../elections/elector';
import { localWallet, transfer } from '../wallets';
import { localStakingPools } from './local-pools';
import { NominatorPool } from './pool-contract';
import { localUsde, usdeContracts } from '../usde/local-usde';
import { UsdeVault } from '../usde/usde-contracts';
import { depositBody } from './staking';
import { stakingContracts } from './staking-contracts';

it('a network of an earlier version, without staking contracts and with another elector, has stakes after its next start', async () => {
  const dataDir = temporaryFolder();
  await (await quietDevnet({ network: 'testnet', dataDir })).close();
  const file = join(dataDir, 'ton-testnet.sqlite');
  const ledger = openLedger(file);
  const elector = loadShardAccount(
    Cell.fromBoc(ledger.account(ELECTOR_ADDRESS, ledger.tip()!.seqno)!)[0]!.beginParse(),
  );
  const { state } = elector.account!.storage;
  if (state.type !== 'active') throw new Error(state.type);
  Object.assign(state.state, { code: Cell.EMPTY });
  const boc = beginCell().store(storeShardAccount(elector)).endCell().toBoc();
  ledger.replace([ELECTOR_ADDRESS, boc.toString('base64')]);
  ledger.close();
  const db = openDatabase(file);
  for (const { address } of [...stakingContracts('testnet'), ...usdeContracts('testnet')])
    db.prepare('DELETE FROM accounts WHERE address = ?').run([address.toRawString()]);
  db.close();

  const devnet = await quietDevnet({ network: 'testnet', dataDir });
  const client = clientOf(devnet.url);
  const alice = localWallet('alice', 'v5r1', 'testnet');
  await devnet.faucet(alice.contract.address.toString(), toNano(100));
  const { address } = localStakingPools('testnet')[1]!;
  await transfer(client, alice, [internal({ to: address, value: toNano(50), body: depositBody() })]);
  const pool = client.open(new NominatorPool(address));
  await until(
    () => pool.getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );
  const vault = client.open(new UsdeVault(localUsde('testnet').vault));
  expect(await vault.getConvertToAssets(1_000_000n)).toBe(1_052_300n);
  await devnet.close();
});
