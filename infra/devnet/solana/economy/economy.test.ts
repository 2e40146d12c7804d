import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { manualDevnet, temporaryFolder } from '../../../../test/devnet/solana';
import type { SolanaDevnet } from '../devnet';
import { fromBase58 } from '../svm/base58';
import { type SolanaEconomy, solanaEconomy } from './economy';

const dataDir = temporaryFolder();
let devnet: SolanaDevnet;
let stop: AbortController;

const start = (): Promise<SolanaEconomy> => {
  stop = new AbortController();
  const { network, url, wsUrl } = devnet;
  const options = { network, url, wsUrl, pace: () => 5, logger: pino({ level: 'warn' }) };
  return solanaEconomy(options, stop.signal);
};
const end = async ({ running }: SolanaEconomy): Promise<void> => {
  stop.abort();
  await running;
};

beforeEach(async () => {
  devnet = await manualDevnet({ dataDir, network: 'mainnet', slotMs: 10 });
});
afterEach(() => devnet.close());
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const historyOf = (address: string, limit = 1000) =>
  new Connection(devnet.url, 'confirmed').getSignaturesForAddress(new PublicKey(address), { limit });

const supplies = ({ description }: SolanaEconomy): Promise<string[]> =>
  Promise.all(
    description.mints.map(async ({ mint }) => {
      const connection = new Connection(devnet.url, 'processed');
      return (await connection.getTokenSupply(new PublicKey(mint))).value.uiAmountString!;
    }),
  );

const everybodyActs = async ({ description }: SolanaEconomy): Promise<void> => {
  const before = await Promise.all(description.accounts.map(({ address }) => historyOf(address)));
  for (const [index, { address }] of description.accounts.entries())
    while ((await historyOf(address)).length < before[index]!.length + 3);
};

let first: SolanaEconomy;

it('gives people SOL and tokens, and lets them use both, with notes', async () => {
  first = await start();
  const { accounts, mints, endpoint, websocket, faucet } = first.description;
  expect([endpoint, websocket]).toEqual([devnet.url, devnet.wsUrl]);
  for (const { address, secretKey } of [...accounts, faucet.account])
    expect(Keypair.fromSecretKey(fromBase58(secretKey)!).publicKey.toBase58()).toBe(address);
  expect(mints[0]).toMatchObject({ mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 });
  for (const { name, symbol } of mints) expect(`${name} ${symbol}`).toMatch(/local.*LOCAL/i);

  await everybodyActs(first);
  await end(first);
  expect(await supplies(first)).toEqual(['4000', '4000', '4000']);
  const connection = new Connection(devnet.url, 'confirmed');
  const newest = await historyOf(accounts[0]!.address);
  expect(newest.some(({ memo }) => memo !== null)).toBe(true);
  for (const { signature } of newest.slice(0, 20)) {
    const recorded = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(recorded?.meta?.err).toBeNull();
  }
});

it('goes on after a restart, with the same accounts and mints, and mints nothing again', async () => {
  const again = await start();
  expect(again.description.accounts).toEqual(first.description.accounts);
  expect(again.description.mints).toEqual(first.description.mints);
  await everybodyActs(again);
  await end(again);
  expect(await supplies(again)).toEqual(['4000', '4000', '4000']);
});
