import { pino } from 'pino';
import { WrongNetwork } from '../contracts/network/wrong-network';
import { InMemoryDocuments } from '../test/doubles/documents';
import { createNetworkIdentity, loadIdentity, replaceIdentity } from './network-identity';

const MAINNET = 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=:XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=';
const TESTNET = 'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=:Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg=';
const URL = 'https://user:secret@node.example/key/SECRET';

let documents: InMemoryDocuments;
beforeEach(() => {
  documents = new InMemoryDocuments();
});

const identity = (options: { network?: string; pinned?: string } = {}) =>
  createNetworkIdentity({
    chain: 'ton',
    network: 'mainnet',
    documents,
    logger: pino({ level: 'silent' }),
    ...options,
  });
const stored = () => loadIdentity({ chain: 'ton', network: 'mainnet', documents });

test('the first source decides for good, also for processes that start at the same time', async () => {
  const checks = await Promise.allSettled(
    ['a', 'b', 'c'].map(async found => (await identity().check(URL, found), found)),
  );
  const right = checks.flatMap(check => (check.status === 'fulfilled' ? check.value : []));
  expect(right).toHaveLength(1);
  expect(await stored()).toBe(right[0]);
  await identity().check(URL, right[0]!);
  await expect(identity().check(URL, 'd')).rejects.toThrow(WrongNetwork);
});

test('a public network is refused under the name of another before anything is stored', async () => {
  await expect(identity().check(URL, TESTNET)).rejects.toThrow('(public ton testnet), not ton mainnet');
  expect(await stored()).toBeNull();
  await identity({ network: 'testnet' }).check(URL, TESTNET);
  await identity().check(URL, MAINNET);
  expect(await stored()).toBe(MAINNET);
});

test('the identity that the operator has set is the only one accepted', async () => {
  await expect(identity({ pinned: 'ours' }).check(URL, 'other')).rejects.toThrow(WrongNetwork);
  await identity({ pinned: 'ours' }).check(URL, 'ours');
  expect(await stored()).toBe('ours');
  await expect(identity({ pinned: 'other' }).check(URL, 'other')).rejects.toThrow(
    'ton mainnet is set to other, but was indexed from ours',
  );
});

test('a fault names the source without its credentials, and both networks, until the source is right again', async () => {
  const one = identity();
  await one.check('https://good.example', 'ours');
  await expect(one.check(URL, TESTNET)).rejects.toThrow(WrongNetwork);
  expect(one.faults()).toEqual([
    `https://node.example/… is not used: it serves ${TESTNET} (public ton testnet); ton mainnet is ours`,
  ]);
  await one.check('https://good.example', 'ours');
  expect(one.faults()).toHaveLength(1);
  await one.check(URL, 'ours');
  expect(one.faults()).toEqual([]);
});

test('a running program accepts an identity that an operator has corrected', async () => {
  const one = identity();
  await one.check(URL, 'false');
  await replaceIdentity({ chain: 'ton', network: 'mainnet', documents }, 'true');
  await one.check(URL, 'true');
  await expect(one.check(URL, 'false')).rejects.toThrow(WrongNetwork);
});
