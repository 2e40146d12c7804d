import { encodeBase58 } from '../../../contracts/encoding/base58';
import { sha256 } from '../../../contracts/encoding/sha256';
import { formatTonAddress } from '../../../contracts/account/address';
import { pushDeviceEvents, pushDeviceStream, pushDeviceSubject } from '../../../contracts/events/push-device';
import { MAX_PUSH_ACCOUNTS, registerPush } from '../../../contracts/http/push';
import { accountKey, ALL_NETWORKS } from '../../../contracts/network/network';
import { pushAccountId } from '../../../contracts/push/push-cause';
import { InMemoryDocuments } from '../../../test/doubles/documents';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { ed25519Key } from '../../../infra/devnet/ed25519';
import { NO_LIMITS } from '../../../contracts/ports/rate-limits';
import { openSubjectKeys, type SubjectKeys } from '../../personal-texts/keys';
import { createPersonalTexts } from '../../personal-texts/personal-texts';
import { createHandle } from '../../commands/handle';
import { proofText } from './proofs';
import { registerDevice } from './register';

const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const TOKEN = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]';
const KEY = Buffer.alloc(32, 7).toString('base64');
const raw = (n: number): string => `0:${n.toString(16).padStart(64, '0')}`;

let store: InMemoryEventStore;
let keys: SubjectKeys;
let watched: string[];
beforeEach(async () => {
  store = new InMemoryEventStore();
  keys = await openSubjectKeys(new InMemoryDocuments(), Buffer.alloc(32, 1));
  watched = [];
});

const clock = () => new Date('2026-11-23T12:00:00.000Z');
const wallet = ed25519Key(Buffer.alloc(32, 3));
const findKey = async () => wallet.publicKey;
const views = { count: async () => 0, getMany: async () => new Map() };

const register = (body: object = {}, followed = ALL_NETWORKS) =>
  registerDevice(
    {
      handle: createHandle({ store }),
      store,
      limits: async () => NO_LIMITS,
      texts: createPersonalTexts(keys),
      watch: async account => watched.push(accountKey(account)),
      followed,
      clock,
      findKey,
      views,
      maxDevices: 0,
      sourceOf: ip => `source of ${ip}`,
    },
    registerPush.body!.parse({ token: TOKEN, appPublicKey: KEY, addresses: [raw(1), SOLANA], ...body }),
    { ip: '192.0.2.1', appendHeader: () => undefined },
  );
const { deviceId } = registerPush.body!.parse({ token: TOKEN, appPublicKey: KEY, addresses: [] }).token;
const events = () =>
  (store.stored.byStream.get(pushDeviceStream(deviceId)) ?? []).map(event => pushDeviceEvents.read(event));

it('has its accounts watched, and records neither the token nor an address that could be read', async () => {
  expect(await register()).toMatchObject({ registered: 2, notServed: 0, ignored: 0 });
  expect(watched).toEqual([`ton:mainnet:${raw(1)}`, `solana:mainnet:${SOLANA}`]);
  expect(events()).toMatchObject([{ data: { accounts: watched.map(key => ({ id: pushAccountId(key) })) } }]);
  const stored = JSON.stringify(store.stored.all);
  for (const text of ['xxxxxxxx', SOLANA, raw(1), KEY]) expect(stored).not.toContain(text);
});

it('records an equal registration once, in any spelling', async () => {
  await register();
  await register({
    token: ` ExpoPushToken[xxxxxxxxxxxxxxxxxxxxxx]`,
    addresses: [formatTonAddress(raw(1), 'mainnet'), SOLANA, formatTonAddress(raw(1), 'mainnet', false)],
  });
  expect(events()).toHaveLength(1);
});

it('reads the last registration alone, however often the device was registered', async () => {
  for (let n = 0; n < 5; n++) await register({ appPublicKey: Buffer.alloc(32, n).toString('base64') });
  let read = 0;
  const { readStream } = store;
  store.readStream = async function* (...of) {
    for await (const event of readStream.apply(store, of)) {
      read += 1;
      yield event;
    }
  };
  await register();
  expect(events()).toHaveLength(6);
  // To count it, and to decide.
  expect(read).toBeLessThanOrEqual(2);
});

it('records it again after an erasure, and when anything is different', async () => {
  await register();
  await keys.destroy(pushDeviceSubject(deviceId));
  await register();
  await register({ appPublicKey: Buffer.alloc(32, 9).toString('base64') });
  await register({ addresses: [SOLANA] });
  expect(events()).toHaveLength(4);
});

it('registers an account on a network that is off without having it watched', async () => {
  expect(await register({}, { ...ALL_NETWORKS, solana: [] })).toMatchObject({ registered: 2, notServed: 1 });
  expect(watched).toEqual([`ton:mainnet:${raw(1)}`]);
  expect(events()).toMatchObject([{ data: { accounts: [{}, {}] } }]);
});

it('follows the first accounts of a longer list', async () => {
  const addresses = Array.from({ length: MAX_PUSH_ACCOUNTS + 2 }, (_, n) => raw(n));
  expect(await register({ addresses })).toMatchObject({ registered: MAX_PUSH_ACCOUNTS, ignored: 2 });
  expect(watched).toEqual(addresses.slice(0, MAX_PUSH_ACCOUNTS).map(address => `ton:mainnet:${address}`));
});

it.each<[string, object, string[]]>([
  [
    'test-only addresses',
    { addresses: [formatTonAddress(raw(1), 'testnet'), SOLANA] },
    [`ton:testnet:${raw(1)}`, `solana:devnet:${SOLANA}`],
  ],
  [
    'a network that the request names',
    { addresses: [raw(1), SOLANA], network: 'testnet' },
    [`ton:testnet:${raw(1)}`, `solana:devnet:${SOLANA}`],
  ],
])('follows accounts of the test networks for %s', async (_what, body, accounts) => {
  await register(body);
  expect(watched).toEqual(accounts);
});

it('registers nothing when an account cannot be watched', async () => {
  const refused = registerDevice(
    {
      handle: createHandle({ store }),
      store,
      limits: async () => NO_LIMITS,
      texts: createPersonalTexts(keys),
      watch: async () => Promise.reject(new Error('too many')),
      clock,
      findKey,
      views,
      maxDevices: 0,
      sourceOf: ip => ip,
    },
    registerPush.body!.parse({ token: TOKEN, appPublicKey: KEY, addresses: [raw(1)] }),
    { ip: '192.0.2.1', appendHeader: () => undefined },
  );
  await expect(refused).rejects.toThrow('too many');
  expect(events()).toEqual([]);
});

describe('what a wallet signs', () => {
  const solana = encodeBase58(wallet.publicKey);
  const proofOf = (address: string, token = TOKEN, at = clock()) => {
    const timestamp = at.getTime() / 1_000;
    const signature = wallet.sign(sha256(proofText(token, address)(timestamp))).toString('base64');
    return { address, timestamp, signature };
  };
  const proving = (...proofs: object[]) => register({ addresses: [raw(1), solana, raw(2)], proofs });

  it.each([
    ['TON', raw(1), [true, false, false]],
    ['Solana', solana, [false, true, false]],
  ])('proves that the device is its own on %s', async (_chain, address, isProven) => {
    await proving(proofOf(address));
    expect(events()).toMatchObject([{ data: { accounts: isProven.map(each => ({ isProven: each })) } }]);
  });

  it.each<[string, object, object]>([
    ['another device', proofOf(raw(1), 'ExponentPushToken[other]'), { code: 'signature_invalid' }],
    ['another wallet', { ...proofOf(raw(1)), address: raw(2) }, { code: 'signature_invalid' }],
    ['another time', proofOf(raw(1), TOKEN, new Date(0)), { code: 'signature_expired' }],
    ['an account that the device does not follow', proofOf(raw(3)), { code: 'invalid_request' }],
  ])('for %s registers nothing', async (_what, proof, problem) => {
    await expect(proving(proof)).rejects.toMatchObject(problem);
    expect(events()).toEqual([]);
  });
});
