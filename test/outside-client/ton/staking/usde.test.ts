import { Address, internal, toNano, type Cell } from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { JettonMaster, JettonWallet } from '@ton/ton';
import type { Tidemark } from '../../../e2e/tidemark';
import { temporaryFolder } from '../../../temporary-folder';
import { until } from '../../../until';
import { ask, startProgram, type Json } from '../../program';
import { connect, type Node } from '../node';
import { deliver, sign, walletOf, type Wallet } from '../wallet';
import { usdeClaim, usdeStake } from './bodies';
import { sharePrice, timelockOf } from './getters';

const VALUE = toNano('0.2');
/** Units of USDe. */
const STAKED = 100_000_000n;

/** With its chain: only a local network names the contracts of its own that stand for those of USDe. */
let program: Tidemark;
let folder: string;
let node: Node;
let wallet: Wallet;
/** What the wallet app takes from the application's configuration. */
let contracts: { readonly usdeMinter: string; readonly tsUSDeMinter: string; readonly usdeVault: string };

const member = (): Promise<Json> =>
  ask(`${program.url}/usde/staking/member/liquid/info`, {
    isTestnet: false,
    address: wallet.address.toString(),
  });

const jettonWalletOf = (master: string, { address }: Wallet): Promise<Address> =>
  node.client.open(JettonMaster.create(Address.parse(master))).getWalletAddress(address);

/** As the API serves it once it is what the account's wallet of tsUSDe says. */
async function agreedMember(): Promise<{ balance: bigint; locked: bigint; limit: number }> {
  const shares = await jettonWalletOf(contracts.tsUSDeMinter, wallet);
  return until(async () => {
    const served = await member();
    const balance = await node.client.open(JettonWallet.create(shares)).getBalance();
    const { locked, unlockAt } = await timelockOf(node.client, shares);
    expect(served).toMatchObject({
      balance: String(balance),
      timeLocked: locked === 0n ? null : { balance: String(locked), limit: String(unlockAt) },
    });
    for (const [address, expected] of [
      [served.owner, wallet.address],
      [served.minter, Address.parse(contracts.tsUSDeMinter)],
    ] as const)
      expect(Address.parse(address as string).equals(expected)).toBe(true);
    return { balance, locked, limit: unlockAt };
  });
}

async function send(to: Address, body: Cell): Promise<void> {
  const request = await sign(node, wallet, { messages: [internal({ to, value: VALUE, body })] });
  await deliver(node, wallet.address, request);
}

/** The words of an account that has USDe from the start. Without traffic the network names none, and sends nothing of its own. */
async function wordsOf(name: string, folder: string): Promise<string[]> {
  const withTraffic = await startProgram(folder, { LOCAL_TRAFFIC: 'true' });
  const { ton } = await until(
    () => ask(`${withTraffic.url}/devnet`),
    found => found.seeded === true,
    300_000,
  );
  await withTraffic.kill('SIGTERM');
  const { accounts } = ton.find(({ network }: Json) => network === 'mainnet');
  return (accounts.find((each: Json) => each.name === name).mnemonic as string).split(' ');
}

async function start(): Promise<void> {
  program = await startProgram(folder);
  node = await connect(program.url, 'mainnet');
}

async function killAndStart(): Promise<void> {
  expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  await start();
}

beforeAll(async () => {
  folder = temporaryFolder();
  const words = await wordsOf('alice', folder);
  await start();
  wallet = walletOf('v5', node, await mnemonicToPrivateKey(words));
  await node.grant(wallet.address, toNano(10));
  const { resources } = await ask(`${program.url}/appconfig/mainnet`);
  const resource = (name: string): string => resources[`staking.ethena.${name}`];
  contracts = {
    usdeMinter: resource('usdeMinter'),
    tsUSDeMinter: resource('tsUSDeMinter'),
    usdeVault: resource('usdeVault'),
  };
});
afterAll(() => program?.kill('SIGTERM'));

it('what is staked of USDe is served as its contracts say, through its lock to its payment, whenever the program is killed', async () => {
  const { usdeRate } = await ask(`${program.url}/usde/mainnet/rate`);
  const price = await sharePrice(node.client, Address.parse(contracts.usdeVault));
  expect(usdeRate).toBe(Number(price) / 1_000_000_000);

  const usde = await jettonWalletOf(contracts.usdeMinter, wallet);
  const had = await node.client.open(JettonWallet.create(usde)).getBalance();
  await send(
    usde,
    usdeStake({ to: Address.parse(contracts.usdeVault), amount: STAKED, owner: wallet.address }),
  );
  await killAndStart();
  const staked = await until(
    () => agreedMember(),
    ({ balance }) => balance > 0n,
  );
  expect(await node.client.open(JettonWallet.create(usde)).getBalance()).toBe(had - STAKED);
  expect(staked.balance).toBe((STAKED * 1_000_000_000n) / price);

  const shares = await jettonWalletOf(contracts.tsUSDeMinter, wallet);
  const master = Address.parse(contracts.tsUSDeMinter);
  await send(shares, usdeStake({ to: master, amount: staked.balance, owner: wallet.address }));
  await killAndStart();
  const locked = await until(
    () => agreedMember(),
    each => each.locked > 0n,
  );
  expect(locked.balance).toBe(0n);
  expect(STAKED - locked.locked).toBeLessThanOrEqual(1n);

  const { now } = await node.client.getLastBlock();
  await ask(`${program.url}/devnet/ton/advance`, { seconds: locked.limit - now + 1 });
  await send(shares, usdeClaim({ to: master, amount: locked.locked, owner: wallet.address }));
  await killAndStart();
  await until(
    () => agreedMember(),
    each => each.locked === 0n,
  );
  await until(
    () => node.client.open(JettonWallet.create(usde)).getBalance(),
    balance => balance === had - STAKED + locked.locked,
  );
});
