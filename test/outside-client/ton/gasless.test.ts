import { Address, beginCell, Cell, internal, loadStateInit, SendMode, toNano } from '@ton/core';
import { keyPairFromSeed, mnemonicToPrivateKey, type KeyPair } from '@ton/crypto';
import { TonApiClient } from '@ton-api/client';
import { JettonMaster, JettonWallet, TonClient4, WalletContractV5R1 } from '@ton/ton';
import { randomBytes } from 'node:crypto';
import { tidemarkJson, type Tidemark } from '../../e2e/tidemark';
import { sendByTonapiClient } from '../../gasless/tonapi-client';
import { temporaryFolder } from '../../temporary-folder';
import { until } from '../../until';
import { ask, startProgram, type Json } from '../program';
import { GaslessClient, withTypedAmount, type GaslessQuote, type GaslessWallet } from './gasless-client';

jest.setTimeout(600_000);

const folder = temporaryFolder();
/** In TON what a commission is worth follows from the rate alone, which the local relayer has fixed for the mintless jetton. */
const LEDGER = { DATA_DIR: folder, INSTANCE_CURRENCY: 'TON' };
const MINTLESS_PER_TON = 3;
let program: Tidemark;
let network: Json;
let client: TonClient4;
let relayer: GaslessClient;
let alice: GaslessWallet;
/** Of the mintless jetton, smallest units. */
let commissionOfMintless = 0n;

const walletOf = (keys: KeyPair): GaslessWallet => ({
  keys,
  contract: WalletContractV5R1.create({ publicKey: keys.publicKey, walletId: { networkGlobalId: -239 } }),
});
const newWallet = (): GaslessWallet => walletOf(keyPairFromSeed(randomBytes(32)));

async function start(traffic: 'true' | 'false'): Promise<void> {
  program = await startProgram(folder, {
    LOCAL_TRAFFIC: traffic,
    TON_RPC_URL_MAINNET: 'local',
    TON_RPC_URL_TESTNET: 'off',
    SOLANA_RPC_URL_MAINNET: 'off',
    SOLANA_RPC_URL_DEVNET: 'off',
    ...LEDGER,
  });
  client = new TonClient4({ endpoint: `${program.url}/rpc/mainnet`, timeout: 120_000 });
  relayer = new GaslessClient(program.url, 'mainnet');
}

beforeAll(async () => {
  // With traffic the network issues its jettons and fills the wallet of the relayer. Without it nobody else sends anything.
  await start('true');
  network = await until(
    async () => (await ask(`${program.url}/devnet`)).ton.find((each: Json) => each.network === 'mainnet'),
    each => each?.accounts,
  );
  await program.kill('SIGTERM');
  await start('false');
  const { mnemonic } = network.accounts.find(({ name }: Json) => name === 'alice');
  alice = walletOf(await mnemonicToPrivateKey(mnemonic.split(' ')));
});
afterAll(() => program?.kill('SIGTERM'));

const masterOf = (symbol: string): Address =>
  Address.parse(network.jettons.find((each: Json) => each.symbol === symbol).master);
const jettonWalletOf = (master: Address, owner: Address): Promise<Address> =>
  client.open(JettonMaster.create(master)).getWalletAddress(owner);
const unitsOf = async (master: Address, owner: Address): Promise<bigint> =>
  client.open(JettonWallet.create(await jettonWalletOf(master, owner))).getBalance();

async function coinsOf(address: Address): Promise<bigint> {
  const { last } = await client.getLastBlock();
  return BigInt((await client.getAccountLite(last.seqno, address)).account.balance.coins);
}

async function sendOf(wallet: GaslessWallet, message: ReturnType<typeof internal>, sendMode: SendMode) {
  const opened = client.open(wallet.contract);
  const seqno = await opened.getSeqno();
  const { secretKey } = wallet.keys;
  await opened.send(wallet.contract.createTransfer({ seqno, secretKey, sendMode, messages: [message] }));
  await until(async () => (await opened.getSeqno()) > seqno);
}

type Given = GaslessQuote & { readonly ok: true };

async function quoteOf(...asked: Parameters<GaslessClient['estimate']>): Promise<Given> {
  // Prices of the local market are known a moment after the start.
  const quote = await until(
    () => relayer.estimate(...asked),
    answer => answer.ok,
  );
  return quote as Given;
}

/** As the application posts it where the network fails: the same fifteen times. */
async function postAgainAndAgain(request: ReturnType<GaslessClient['request']>): Promise<void> {
  for (let posts = 0; posts < 15; posts++) expect(await relayer.send(request)).toMatchObject({ ok: true });
}

const rowsOf = async (owner: Address): Promise<Json[]> => {
  const body = { network: 'mainnet', limit: 10, cursor: {} };
  return (await ask(`${program.url}/transactions/v2/${owner.toString()}`, body)).data;
};

/** A wallet that is not deployed gets ten of a jetton from alice. @returns its wallet of the jetton */
async function give(master: Address, owner: Address): Promise<Address> {
  const transferred = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(10_000_000n)
    .storeAddress(owner)
    .storeAddress(alice.contract.address)
    .storeMaybeRef(null)
    .storeCoins(0)
    .storeMaybeRef(null)
    .endCell();
  await sendOf(
    alice,
    internal({
      to: await jettonWalletOf(master, alice.contract.address),
      value: toNano('0.2'),
      body: transferred,
    }),
    SendMode.PAY_GAS_SEPARATELY,
  );
  await until(async () => (await unitsOf(master, owner)) === 10_000_000n);
  expect(await coinsOf(owner)).toBe(0n);
  return jettonWalletOf(master, owner);
}

it('a wallet that has jettons and no TON, and is not deployed, sends them', async () => {
  const master = masterOf('LOCAL');
  const [user, friend] = [newWallet(), newWallet().contract.address];
  const owner = user.contract.address;
  const jettonWallet = await give(master, owner);

  const config = await relayer.config();
  const relay = Address.parse(config.relay_address);
  expect(config.gas_jettons.map(({ master_id }) => Address.parse(master_id).toString())).toContain(
    master.toString(),
  );
  await rowsOf(friend);
  const quote = await quoteOf(user, master, { jettonWallet, to: friend, amount: 3_000_000n });
  const paidBefore = await unitsOf(master, relay).catch(() => 0n);
  await postAgainAndAgain(relayer.request(user, withTypedAmount(quote), 0));

  await until(async () => (await unitsOf(master, friend).catch(() => 0n)) > 0n);
  const commission = BigInt(quote.commission);
  await until(async () => (await unitsOf(master, relay).catch(() => 0n)) > paidBefore);
  expect(await unitsOf(master, friend)).toBe(3_000_000n);
  expect(await unitsOf(master, owner)).toBe(7_000_000n - commission);
  expect((await unitsOf(master, relay)) - paidBefore).toBe(commission);
  expect(await client.open(user.contract).getSeqno()).toBe(1);

  // The receiver sees what has arrived, and from whom.
  await until(async () => JSON.stringify(await rowsOf(friend)).includes('3000000'));
  const hints = await until(
    () => ask(`${program.url}/hints/full/${encodeURIComponent(friend.toString())}`),
    ({ hints: found }) => found.length > 0,
  );
  expect(JSON.stringify(hints)).toContain('3000000');
});

it('the published client of TonAPI sends jettons of such a wallet as it does by TonAPI', async () => {
  const master = masterOf('LOCAL');
  const [{ contract: wallet, keys }, to] = [newWallet(), newWallet().contract.address];
  const jettonWallet = await give(master, wallet.address);
  const tonapi = new TonApiClient({ baseUrl: program.url });
  const transfer = { wallet, keys, master, jettonWallet, to, seqno: 0, amount: 3_000_000n };
  const commission = await sendByTonapiClient(tonapi, transfer);
  await until(async () => (await unitsOf(master, to).catch(() => 0n)) > 0n);
  expect([await unitsOf(master, to), await unitsOf(master, wallet.address)]).toEqual([
    3_000_000n,
    7_000_000n - commission,
  ]);
  // The commission is more than what is left.
  await expect(sendByTonapiClient(tonapi, { ...transfer, seqno: 1, amount: 7_000_000n })).rejects.toThrow();
  const { contract: poor, keys: ofPoor } = newWallet();
  const nothing = { wallet: poor, keys: ofPoor, jettonWallet: await jettonWalletOf(master, poor.address) };
  // The error of a problem document is what it shows.
  await expect(sendByTonapiClient(tonapi, { ...transfer, ...nothing })).rejects.toThrow('gasless_refused');
});

it('a mintless jetton is claimed and sent by a wallet that has no TON left, and pays for it', async () => {
  const master = masterOf('LESS');
  const owner = alice.contract.address;
  const friend = newWallet().contract.address;
  await sendOf(
    alice,
    internal({ to: newWallet().contract.address, value: 0n, bounce: false }),
    SendMode.CARRY_ALL_REMAINING_BALANCE | SendMode.IGNORE_ERRORS,
  );
  expect(await coinsOf(owner)).toBe(0n);

  const path = `mintless/jettons/${master.toString()}/transfer/${owner.toString()}/payload`;
  const payload = await ask(`${program.url}/${path}`);
  const quote = await quoteOf(alice, master, {
    jettonWallet: await jettonWalletOf(master, owner),
    to: friend,
    amount: 2_000_000n,
    claim: {
      customPayload: Cell.fromBase64(payload.customPayload),
      stateInit: loadStateInit(Cell.fromBase64(payload.stateInit).beginParse()),
    },
  });
  const seqno = await client.open(alice.contract).getSeqno();
  await postAgainAndAgain(relayer.request(alice, withTypedAmount(quote), seqno));
  await until(async () => (await unitsOf(master, friend).catch(() => 0n)) > 0n);
  expect(await unitsOf(master, friend)).toBe(2_000_000n);
  const relay = Address.parse((await relayer.config()).relay_address);
  await until(async () => (await unitsOf(master, relay).catch(() => 0n)) > 0n);
  commissionOfMintless = BigInt(quote.commission);
  expect(await unitsOf(master, relay)).toBe(commissionOfMintless);
  expect(await unitsOf(master, owner)).toBe(500_000_000n - 2_000_000n - BigInt(quote.commission));
});

it('what the relayer was paid is in the books, with its wallet as the merchant', async () => {
  const { token } = await tidemarkJson<{ token: string }>(['token', '--role', 'finance'], LEDGER);
  const act = (body: object): Promise<Json> =>
    ask(`${program.url}/api/instance-admin`, body, { authorization: `Bearer ${token}` });
  const earned = await until(
    async () =>
      (await act({ action: 'get_revenue' })).summary.find((row: Json) => row.fee_type === 'gasless'),
    row => row?.count === 3,
  );
  expect(earned.collection_status).toBe('collected');
  const { rows } = await act({ action: 'list_fee_ledger', page: 1, pageSize: 10 });
  const { relay_address: relay } = await relayer.config();
  for (const row of rows)
    expect(Address.parse(row.merchant_id).toString()).toBe(Address.parse(relay).toString());
  // Decimals of the jetton, at six of a TON.
  const expected = Number(commissionOfMintless) / 1_000_000 / MINTLESS_PER_TON;
  expect(rows.map((row: Json) => row.fee_amount)).toContain(String(Number(expected.toFixed(6))));
});
