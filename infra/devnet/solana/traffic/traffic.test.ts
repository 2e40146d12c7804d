import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { pino } from 'pino';
import { holdTraffic } from '../../../../test/devnet/held-traffic';
import { manualDevnet } from '../../../../test/devnet/solana';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { until } from '../../../../test/until';
import type { SolanaDevnet } from '../devnet';
import { fromBase58 } from '../svm/base58';
import { type SolanaTraffic, startSolanaTraffic } from './traffic';

const dataDir = temporaryFolder();
let devnet: SolanaDevnet;
let stop: AbortController;

const start = (mayGrow = () => true): Promise<SolanaTraffic> => {
  stop = new AbortController();
  const { network, url, wsUrl } = devnet;
  const options = { network, url, wsUrl, pace: () => 5, mayGrow, logger: pino({ level: 'warn' }) };
  return startSolanaTraffic(options, stop.signal);
};
const end = async ({ running }: SolanaTraffic): Promise<void> => {
  stop.abort();
  await running;
};

beforeEach(async () => {
  devnet = await manualDevnet({ dataDir, network: 'mainnet', slotMs: 10 });
});
afterEach(() => devnet.close());

const historyOf = (address: string, limit = 1000) =>
  new Connection(devnet.url, 'confirmed').getSignaturesForAddress(new PublicKey(address), { limit });

const supplies = ({ description }: SolanaTraffic): Promise<string[]> =>
  Promise.all(
    description.mints.map(async ({ mint }) => {
      const connection = new Connection(devnet.url, 'processed');
      return (await connection.getTokenSupply(new PublicKey(mint))).value.uiAmountString!;
    }),
  );

/** What earlier traffic sent changes no more: nothing of it is left to be confirmed or finalized. */
const untilAllFinalized = async (): Promise<void> => {
  const connection = new Connection(devnet.url);
  const sent = await connection.getSlot('processed');
  await until(
    () => connection.getSlot('finalized'),
    finalized => finalized >= sent,
  );
};

const expectAllActive = async ({ description }: SolanaTraffic): Promise<void> => {
  const before = await Promise.all(description.accounts.map(({ address }) => historyOf(address)));
  for (const [index, { address }] of description.accounts.entries())
    await until(
      () => historyOf(address),
      history => history.length >= before[index]!.length + 3,
    );
};

let first: SolanaTraffic;

it('ends while it seeds, at the signal', async () => {
  const seeding = start();
  stop.abort();
  await expect(seeding).rejects.toThrow('stopping');
});

it('seeds actors with SOL and tokens, and transfers both, with memos', async () => {
  first = await start();
  const { accounts, mints, endpoint, websocket, faucet } = first.description;
  expect([endpoint, websocket]).toEqual([devnet.url, devnet.wsUrl]);
  for (const { address, secretKey } of [...accounts, faucet.account])
    expect(Keypair.fromSecretKey(fromBase58(secretKey)!).publicKey.toBase58()).toBe(address);
  expect(mints[0]).toMatchObject({ mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 });
  for (const { name, symbol } of mints) expect(`${name} ${symbol}`).toMatch(/local.*LOCAL/i);

  await expectAllActive(first);
  await end(first);
  expect(await supplies(first)).toEqual(['4000', '4000', '4000', '4000']);
  const connection = new Connection(devnet.url, 'confirmed');
  const newest = await historyOf(accounts[0]!.address);
  expect(newest.some(({ memo }) => memo !== null)).toBe(true);
  for (const { signature } of newest.slice(0, 20)) {
    const recorded = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(recorded?.meta?.err).toBeNull();
  }
});

it('continues after a restart with the same accounts and mints, without minting again', async () => {
  const again = await start();
  expect(again.description.accounts).toEqual(first.description.accounts);
  expect(again.description.mints).toEqual(first.description.mints);
  await expectAllActive(again);
  await end(again);
  expect(await supplies(again)).toEqual(['4000', '4000', '4000', '4000']);
});

it('rests while the network may not grow, and goes on once it may', async () => {
  const held = holdTraffic();
  const traffic = await start(held.mayGrow);
  const { accounts, faucet } = traffic.description;
  const histories = () => Promise.all([...accounts, faucet.account].map(({ address }) => historyOf(address)));
  await untilAllFinalized();
  const before = await histories();
  await held.untilAskedOften();
  expect(await histories()).toEqual(before);
  held.allow();
  await expectAllActive(traffic);
  await end(traffic);
});
