import { join } from 'node:path';
import { beginCell, contractAddress, internal, toNano, type Address, type Cell } from '@ton/core';
import { jettonMaster, mintBody } from '../../infra/devnet/ton/jetton/jetton';
import { transfer } from '../../infra/devnet/ton/wallets';
import { compileContract } from '../devnet/compile-func';
import { ISSUER, USER_JETTONS, type LocalRelay } from './local-relay';

const UPGRADE = 0x7777;
const METADATA = { name: 'Upgradable', symbol: 'UP', decimals: 6 };

/** The minter of local networks, which also takes other code from anybody. @param version codes of different ones differ */
export function upgradableMinter(version: number): Promise<Cell> {
  return compileContract(join(__dirname, '../../infra/devnet/ton'), 'jetton/jetton-minter.fc', source =>
    source.replace(
      'throw(error::unknown_op);',
      `if (op == ${UPGRADE}) { set_code(body~load_ref()); return (); } throw(error::unknown_op + ${version});`,
    ),
  );
}

/** A jetton with that minter, of which the user has some; returns its master. */
export async function deployUpgradable({ api, user }: LocalRelay): Promise<Address> {
  const { data } = jettonMaster(ISSUER.contract.address, METADATA).init;
  const init = { data, code: await upgradableMinter(1) };
  const to = contractAddress(0, init);
  const body = mintBody({ to: user.contract.address, amount: USER_JETTONS, value: toNano('0.1') });
  await transfer(api, ISSUER, [internal({ to, value: toNano('0.2'), init, body })]);
  return to;
}

export function upgrade({ api }: Pick<LocalRelay, 'api'>, to: Address, code: Cell): Promise<void> {
  const body = beginCell().storeUint(UPGRADE, 32).storeRef(code).endCell();
  return transfer(api, ISSUER, [internal({ to, value: '0.1', body })]);
}
