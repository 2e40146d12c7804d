import {
  Address,
  beginCell,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
  type Cell,
  type MessageRelaxed,
} from '@ton/core';
import { mnemonicNew, mnemonicToPrivateKey } from '@ton/crypto';
import { JettonMaster, TonClient4, WalletContractV5R1 } from '@ton/ton';
import type { Tidemark } from '../../e2e/tidemark';
import { temporaryFolder } from '../../temporary-folder';
import { until } from '../../until';
import { ask, type Json, startProgram } from '../program';

const folder = temporaryFolder();
let program: Tidemark;
/** The main local network, as `/devnet` describes it. */
let network: Json;
let client: TonClient4;

interface Wallet {
  readonly contract: WalletContractV5R1;
  readonly secretKey: Buffer;
  readonly address: string;
}

async function walletOf(words: string[]): Promise<Wallet> {
  const { publicKey, secretKey } = await mnemonicToPrivateKey(words);
  const contract = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } });
  return { contract, secretKey, address: contract.address.toString() };
}

/** Resolves with the hash of the signed request when the wallet has sent the messages. */
async function send(wallet: Wallet, messages: MessageRelaxed[]): Promise<string> {
  const { contract, secretKey } = wallet;
  const opened = client.open(contract);
  const seqno = await opened.getSeqno();
  const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS;
  const request = contract.createTransfer({ seqno, secretKey, messages, sendMode });
  await opened.send(request);
  await until(async () => (await opened.getSeqno()) > seqno);
  const message = external({
    to: contract.address,
    ...(seqno === 0 && { init: contract.init }),
    body: request,
  });
  return beginCell().store(storeMessage(message)).endCell().hash().toString('hex');
}

/** Whether the request with this hash became a transaction of which nothing is in progress, and which succeeded. */
const hasSucceeded = async (hash: string): Promise<boolean> =>
  (await ask(`${program.url}/ton/transactions/status/mainnet`, { txHash: hash }))?.success === true;

const get = (path: string): Promise<Json> => ask(`${program.url}${path}`);
const at = ({ address }: Wallet): string => encodeURIComponent(address);
const jettonTransfer = (amount: bigint, to: Address, response: Address): Cell =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(null)
    .storeCoins(1)
    .storeMaybeRef(null)
    .endCell();
const nftTransfer = (to: Address, response: Address): Cell =>
  beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(null)
    .storeCoins(1)
    .storeMaybeRef(null)
    .endCell();

const jettonWalletOf = (master: string, owner: Wallet): Promise<Address> =>
  client.open(JettonMaster.create(Address.parse(master))).getWalletAddress(owner.contract.address);

async function sendAll(from: Wallet, to: Wallet, item: string, jettons: bigint): Promise<string> {
  const receiver = to.contract.address;
  const response = from.contract.address;
  const messages = [
    internal({
      to: Address.parse(item),
      value: toNano('0.1'),
      body: nftTransfer(receiver, response),
    }),
  ];
  for (const master of issuedJettons())
    messages.push(
      internal({
        to: await jettonWalletOf(master, from),
        value: toNano('0.15'),
        body: jettonTransfer(jettons, receiver, response),
      }),
    );
  return send(from, messages);
}

const balancesOf = async (wallet: Wallet): Promise<Record<string, string>> => {
  const { hints } = await get(`/hints/full/${at(wallet)}`);
  return Object.fromEntries(hints.map(({ jetton, balance }: Json) => [jetton.address, balance]));
};
const itemsOf = async (wallet: Wallet): Promise<string[]> =>
  (await get(`/nfts/${at(wallet)}`)).data.items.map(({ address }: Json) => address);
const extraOf = async (wallet: Wallet): Promise<[number, string][]> =>
  (await get(`/hints/extra/${at(wallet)}`)).map(({ preview, amount }: Json) => [preview.id, amount]);
/** Hashes of the account's transactions as the chain has them, newest first. */
async function transactionsOf({ contract: { address } }: Wallet): Promise<string[]> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, address);
  const { lt, hash } = account.last!;
  const found = await client.getAccountTransactions(address, BigInt(lt), Buffer.from(hash, 'base64'));
  return found.map(({ tx }) => tx.hash().toString('base64'));
}
const same = (one: string, other: string): boolean => Address.parse(one).equals(Address.parse(other));

/** The indexer, the projections and the network end at once, and are started again. */
async function killAndStart(): Promise<void> {
  expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  await start('false');
}

async function start(traffic: 'true' | 'false'): Promise<void> {
  program = await startProgram(folder, { LOCAL_TRAFFIC: traffic });
  network = { ...network, ...(await describeNetwork()) };
  client = new TonClient4({ endpoint: `${program.url}/rpc/mainnet`, timeout: 120_000 });
}

/** Masters of the jettons that the network has sent to its accounts. The mintless one is there for them to claim. */
const issuedJettons = (): string[] =>
  network.jettons
    .map(({ master }: Json) => master as string)
    .filter((master: string) => master !== network.mintless);

const describeNetwork = async (): Promise<Json> =>
  (await get('/devnet')).ton.find((each: Json) => each.network === 'mainnet');

beforeAll(async () => {
  // With traffic the network issues tokens to its accounts. Without it, nobody else sends messages of these.
  await start('true');
  network = await until(describeNetwork, ({ accounts }) => accounts);
  await killAndStart();
});
afterAll(() => program?.kill('SIGTERM'));

it('a new wallet receives coins, jettons, an item and an extra currency, sends them on, and finds each step', async () => {
  const wallet = await walletOf(await mnemonicNew());
  const friend = await walletOf(await mnemonicNew());
  const alice = await walletOf(
    (network.accounts.find(({ name }: Json) => name === 'alice').mnemonic as string).split(' '),
  );
  const item = network.nfts[0].items[1] as string;
  const masters = issuedJettons();
  for (const each of [wallet, friend]) expect((await get(`/hints/full/${at(each)}`)).hints).toEqual([]);

  // What the network has issued to the account, which is followed from now on.
  await until(async () => Object.keys(await balancesOf(alice)).length === masters.length);
  expect(await itemsOf(alice)).toHaveLength(1);

  await ask(network.faucet as string, { address: wallet.address, amount: '5000000000', extra: '700' });
  await until(async () => (await extraOf(wallet))[0]?.[1] === '700');
  expect(await extraOf(wallet)).toEqual([[network.extraCurrency, '700']]);

  const gift = await sendAll(alice, wallet, item, 11n);
  await killAndStart();
  await until(() => hasSucceeded(gift));
  await until(async () => (await itemsOf(wallet)).some(each => same(each, item)));
  await until(async () => Object.keys(await balancesOf(wallet)).length === masters.length);
  const received = await balancesOf(wallet);
  for (const [master, balance] of Object.entries(received)) {
    expect(masters.some(each => same(each, master))).toBe(true);
    expect(balance).toBe('11');
  }

  const coins = await send(wallet, [
    internal({
      to: friend.contract.address,
      value: toNano(1),
      bounce: false,
      extracurrency: { [network.extraCurrency as number]: 300n },
    }),
  ]);
  const tokens = await sendAll(wallet, friend, item, 4n);
  await killAndStart();
  for (const hash of [coins, tokens]) await until(() => hasSucceeded(hash));
  await until(async () => (await itemsOf(friend)).some(each => same(each, item)));
  await until(async () => !(await itemsOf(wallet)).some(each => same(each, item)));
  await until(async () => Object.values(await balancesOf(wallet)).every(balance => balance === '7'));
  await until(async () => Object.values(await balancesOf(friend)).every(balance => balance === '4'));
  await until(
    async () => (await extraOf(wallet))[0]?.[1] === '400' && (await extraOf(friend))[0]?.[1] === '300',
  );

  const info = await until(
    () => get(`/contract/info/${at(wallet)}`),
    found => found?.kind === 'wallet',
  );
  expect(info).toMatchObject({ version: 'v5r1' });
  for (const [each, jettons] of [
    [wallet, '11'],
    [friend, '4'],
  ] as const) {
    const onChain = await transactionsOf(each);
    const rows = await until(
      async () => (await get(`/transactions/v2/${at(each)}?limit=50`)).data.map(({ data }: Json) => data),
      found => found.length === onChain.length,
    );
    expect(rows.map(({ hash }: Json) => hash)).toEqual(onChain);
    const items: Json[] = rows.flatMap(({ operation }: Json) => operation.items);
    const received = items.filter(({ kind }) => kind === 'token');
    expect(received.map(({ master, amount }) => `${amount} ${master}`).sort()).toEqual(
      masters.map(master => `${jettons} ${Address.parse(master).toString()}`).sort(),
    );
  }
});
