import { beginCell, Cell, contractAddress, internal, type Address } from '@ton/core';
import { jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';
import { WALLET_CODE } from '../../infra/devnet/ton/jetton/code';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { readJettonCode } from '../../indexers/ton/jetton-code';
import type { Relayer } from '../../services/gasless/deps';
import type { ChangedCode } from '../../services/gasless/jettons/state';
import { coinsOf, ISSUER, startLocalRelay, type LocalRelay } from './local-relay';
import { ask, paying, post, quoteFor, signedCarrier, testRelayer, type TestRelayer } from './relayer';
import { deployUpgradable, upgradableMinter, upgrade } from './upgradable-jetton';

const RECEIVER = localWallet('receiver', 'v4r2', 'testnet').contract.address;

let local: LocalRelay;
/** A jetton whose master takes other code from anybody. */
let master: Address;
let upgraded: Cell;
let test: TestRelayer;
let changes: ChangedCode[];

beforeAll(async () => {
  local = await startLocalRelay();
  upgraded = await upgradableMinter(2);
  master = await deployUpgradable(local);
});
afterAll(() => local.close());
beforeEach(() => {
  changes = [];
});
afterEach(() => test.close());

const hashOf = (cell: Cell): string => cell.hash().toString('hex');
const user = (): LocalWallet => local.user;
const wanted = () => ({
  wallet: user(),
  to: RECEIVER,
  amount: 1_000n,
  master,
  jettonWallet: jettonWalletAddress(master, user().contract.address),
});

function start(changed: Partial<Relayer>): void {
  test = testRelayer(local, { reportChange: change => changes.push(change), ...changed });
}

async function codeNow() {
  const { seqno } = await local.client.getLastBlock();
  return (await readJettonCode(local.client, seqno, master.toRawString()))!;
}

it('a quote of before the master was upgraded is refused, as is an estimate, until its new code is listed', async () => {
  const code = await codeNow();
  expect(code.wallet).toBe(hashOf(WALLET_CODE));
  start({ jettons: () => Promise.resolve([paying(master, { code })]) });
  const quote = await quoteFor(test, local, wanted());
  const boc = await signedCarrier(quote, { wallet: user(), seqno: 0 });
  await upgrade(local, master, upgraded);

  const before = await coinsOf(local, local.relay.contract.address);
  const refused = {
    error: 'try-later',
    detail: 'the jetton has other code than when it was listed: its master',
  };
  expect(await post(test, boc, user())).toEqual(refused);
  expect(await ask(test, local, wanted())).toEqual(refused);
  expect(await coinsOf(local, local.relay.contract.address)).toBe(before);
  const change = { master: master.toRawString(), of: 'master', listed: code.master, found: hashOf(upgraded) };
  expect(changes).toEqual([change, change]);

  const agreed = { ...test.relayer, jettons: async () => [paying(master, { code: await codeNow() })] };
  const deps = { ...test.deps, relayer: () => agreed };
  expect(await post({ deps }, boc, user())).toBeNull();
});

it('a transfer from a wallet with other code than the listed one is refused', async () => {
  const code = { ...(await codeNow()), wallet: 'a'.repeat(64) };
  start({ jettons: () => Promise.resolve([paying(master, { code })]) });
  expect(await ask(test, local, wanted())).toMatchObject({ error: 'try-later' });
  const found = hashOf(WALLET_CODE);
  expect(changes).toEqual([{ master: master.toRawString(), of: 'wallet', listed: code.wallet, found }]);
});

it('of a wallet whose code is a public library the cell that names it counts', async () => {
  const library = new Cell({
    exotic: true,
    bits: beginCell().storeUint(2, 8).storeBuffer(WALLET_CODE.hash()).endCell().bits,
  });
  const data = beginCell().storeCoins(0).storeAddress(ISSUER.contract.address);
  const code = await upgradableMinter(1);
  const init = {
    code,
    data: data.storeRef(Cell.EMPTY).storeRef(library).endCell(),
  };
  const other = contractAddress(0, init);
  await transfer(local.api, ISSUER, [internal({ to: other, value: '0.1', init })]);
  const { seqno } = await local.client.getLastBlock();
  expect(await readJettonCode(local.client, seqno, other.toRawString())).toEqual({
    master: hashOf(code),
    wallet: hashOf(library),
  });
  start({});
});

it('of an account that is no master there is no code', async () => {
  const { seqno } = await local.client.getLastBlock();
  expect(await readJettonCode(local.client, seqno, user().contract.address.toRawString())).toBeNull();
  start({});
});
