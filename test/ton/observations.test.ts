import { internal, toNano, type Address } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import { OBSERVATIONS_TOPIC, type Observation } from '../../contracts/observation/observation';
import {
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import type { JettonMaster } from '../../infra/devnet/ton/jetton/jetton';
import { nftCollection, nftItemAddress, nftMintBody, nftTransferBody } from '../../infra/devnet/ton/nft/nft';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { observationRemovalOf } from '../../infra/program/roles/jobs';
import { nftObservation } from '../../indexers/ton/observations/nft';
import { jettonMasterObservation } from '../../indexers/ton/observations/jetton-master';
import { jettonBalanceObservation } from '../../indexers/ton/observations/jetton-wallet';
import { ownedJettonObservation } from '../../indexers/ton/observations/owned-jetton';
import { observationProjection, observedCollection } from '../../projections/observations/projection';
import { removeOldObservations } from '../../services/observations/remove-old';
import { until } from '../until';
import type { LocalNetwork } from './network';
import { addressOf, friendly, startTestnet } from './testnet';

const DAY_MS = 86_400_000;
const MAX_OBSERVATIONS = 12;
/** Of the clock of the program. */
let aheadMs = 0;

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let dollar: JettonMaster;
/** Minted for bob without a notification. */
let found: JettonMaster;

const jetton = (symbol: string): JettonMaster =>
  jettonMaster(alice.contract.address, { name: symbol, symbol, decimals: 6, description: '', image: '' });
const mint = (master: JettonMaster, to: LocalWallet) =>
  internal({
    to: master.address,
    value: toNano('0.2'),
    init: master.init,
    body: mintBody({ to: to.contract.address, amount: 100n, value: toNano('0.1') }),
  });
const harbour = () => nftCollection(alice.contract.address, { name: 'Harbour', description: '', image: '' });

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({
    watched: true,
    clock: () => new Date(Date.now() + aheadMs),
    // Nothing but observations ages here.
    settings: {
      MAX_OBSERVATIONS: String(MAX_OBSERVATIONS),
      WATCH_EXPIRY_DAYS: '0',
      ACCOUNT_HISTORY_DAYS: '0',
    },
  }));
  [dollar, found] = [jetton('USDL'), jetton('FND')];
  const { address: to, init } = harbour();
  const metadata = { name: 'Ship', description: '', image: '' };
  const item = nftMintBody({ index: 0, to: alice.contract.address, metadata, value: toNano('0.1') });
  await transfer(client, alice, [
    mint(dollar, alice),
    mint(found, alice),
    internal({ to, value: toNano('0.2'), init, body: item }),
  ]);
  const response = alice.contract.address;
  const give = (master: JettonMaster, to: LocalWallet) =>
    internal({
      to: jettonWalletAddress(master.address, response),
      value: toNano('0.2'),
      body: jettonTransferBody({
        to: to.contract.address,
        response,
        amount: 7n,
        forwardValue: toNano('0.01'),
      }),
    });
  const ship = nftTransferBody({ to: bob.contract.address, response, forwardValue: 1n });
  // Who finds jettons asks the masters that others have used.
  const carol = localWallet('carol of observations', 'v5r1', 'testnet');
  await transfer(client, alice, [
    give(dollar, bob),
    give(found, carol),
    mint(found, bob),
    internal({ to: nftItemAddress(to, 0), value: toNano('0.1'), body: ship }),
  ]);
});
afterAll(() => network.close());

const get = async (path: string) => (await request(network.app).get(path).expect(200)).body;
const metadataOf = (address: Address | string) =>
  get(`/jettons/metadata?isTestnet=true&address=${encodeURIComponent(String(address))}`);

/** As jobs do it from time to time. */
async function removeOld(...observations: readonly Pick<Observation, 'kind'>[]): Promise<number> {
  let removed = 0;
  for (const each of observations)
    removed += await removeOldObservations(observationRemovalOf(network.deps), each, network.deps.signal);
  return removed;
}
const observedOf = (observation: Pick<Observation, 'kind'>): Promise<number> =>
  network.views.count(observedCollection(observation));

/** The keys of a kind on the log, by whether they have a value. */
async function keysOnLog({ kind }: Pick<Observation, 'kind'>) {
  const keys = { observed: [] as string[], removed: [] as string[] };
  for (let partition = 0; partition < OBSERVATIONS_TOPIC.partitions; partition++)
    for await (const { messages } of network.engines.log.read({
      topic: OBSERVATIONS_TOPIC.name,
      partition,
      from: 0,
      follow: false,
    }))
      for (const { key, value } of messages)
        if (key.startsWith(`${kind}/`)) keys[value.length > 0 ? 'observed' : 'removed'].push(key);
  return keys;
}

/** What bob has, without the times at which it was read. */
async function owned() {
  const hints = await get(`/hints/full/${addressOf(bob)}`);
  const { data } = await get(`/nfts/${addressOf(bob)}`);
  return JSON.parse(
    JSON.stringify([hints, data.items], (key, value: unknown) => (key === 'at' ? null : value)),
  );
}

it('what nobody reads is removed after its days, in a rebuild too, and is whole when somebody reads it again', async () => {
  const before = await until(
    async () => {
      // Masters are asked once a minute.
      aheadMs += 61_000;
      return owned();
    },
    ([{ hints }, items]) => hints.length === 2 && items.length === 1,
  );
  await metadataOf(dollar.address);
  const ages = [jettonBalanceObservation, nftObservation, ownedJettonObservation];
  for (const each of ages) expect(await observedOf(each)).toBeGreaterThan(0);
  expect(await removeOld(...ages, jettonMasterObservation)).toBe(0);

  aheadMs += 60 * DAY_MS;
  await metadataOf(dollar.address);
  const readAgain = async () =>
    Date.now() + aheadMs - Date.parse((await metadataOf(dollar.address)).at) < DAY_MS;
  await until(readAgain);
  aheadMs += 40 * DAY_MS;
  await removeOld(...ages, jettonMasterObservation);
  for (const each of ages) expect(await observedOf(each)).toBe(0);
  expect(await observedOf(jettonMasterObservation)).toBe(1);
  for (const each of ages) {
    const { name } = observationProjection(each);
    const { comparison } = await network.deps.engine.rebuild(name, network.deps);
    expect(comparison).toMatchObject({ documents: 0, different: 0 });
    const { observed, removed } = await keysOnLog(each);
    expect(observed).toEqual([]);
    expect(removed).not.toEqual([]);
  }

  expect(await owned()).toEqual(before);
});

it('what is shown is read again while it is, also what no transaction names', async () => {
  await owned();
  const instants = async (): Promise<number[]> => {
    const { documents } = await network.views.find<{ _id: string; at: string }>(
      observedCollection(ownedJettonObservation),
      { limit: 10 },
    );
    return documents.map(({ at }) => Date.parse(at));
  };
  aheadMs += DAY_MS;
  const since = Date.now() + aheadMs;
  await until(
    async () => {
      await owned();
      return instants();
    },
    all => all.length > 0 && all.every(at => at >= since),
  );
});

it('made-up jettons of a stranger push out one another, and not the one that somebody reads', async () => {
  const madeUp = Array.from({ length: 32 }, (_, n) => `0:${(n + 1).toString(16).padStart(64, '0')}`);
  const reader = network.deps.observed(jettonMasterObservation);
  const stored = async (addresses: readonly string[]): Promise<number> => {
    const all = await reader.findMany(addresses.map(address => ({ network: 'testnet', address })));
    return all.filter(each => each !== null).length;
  };
  const symbols = new Set<string>();
  for (let round = 0; round < 4; round++) {
    aheadMs += DAY_MS;
    const since = Date.now() + aheadMs;
    await until(
      () => metadataOf(dollar.address),
      ({ symbol, at }) => symbols.add(symbol) && Date.parse(at) >= since,
    );
    const ofRound = madeUp.slice(round * 8, round * 8 + 8);
    for (const address of ofRound) expect(await metadataOf(address)).toMatchObject({ symbol: null });
    await removeOld(jettonMasterObservation);
    expect(await observedOf(jettonMasterObservation)).toBeLessThanOrEqual(MAX_OBSERVATIONS);
    expect(await stored([dollar.address.toRawString(), ...ofRound])).toBe(9);
  }
  expect(await observedOf(jettonMasterObservation)).toBe(MAX_OBSERVATIONS);
  expect(await stored(madeUp.slice(0, 16))).toBe(0);
  expect([...symbols]).toEqual(['USDL']);
  // One that was pushed out is answered as it was.
  expect(await metadataOf(madeUp[0]!)).toMatchObject({ symbol: null });
  expect(await metadataOf(friendly(found.address))).toMatchObject({ symbol: 'FND' });
});
