import type { LocalWallet } from '../../infra/devnet/ton/wallets';
import { erase } from '../../services/erasure/erase';
import { WALLET_REQUEST_RETENTION } from '../../services/wallet-requests/retention';
import { applyIn, deleteUnusedKeysIn, leftOfKey } from '../apply-retention';
import { until } from '../until';
import { startRequestProgram, startWalletNetwork, type RequestProgram, type WalletNetwork } from './program';
import { createBody, list, post, respondBody, type WalletRequest } from './wallet';

const DAY_MS = 86_400_000;
const ERASED = `ton:testnet:0:${'e5'.repeat(32)}`;

let network: WalletNetwork;
let program: RequestProgram;
beforeAll(async () => {
  network = await startWalletNetwork();
  program = await startRequestProgram(network);
});
afterAll(async () => {
  await program?.stop();
  await network?.close();
});

const eventsLeft = async (): Promise<string[]> => {
  const types: string[] = [];
  for await (const page of program.deps.engines.store.readAll({ categories: ['walletRequest'] }))
    types.push(...page.map(({ type }) => type));
  return types;
};
const subjectOf = ({ contract }: LocalWallet): string => `ton:testnet:${contract.address.toRawString()}`;
const listed = async (): Promise<string[]> =>
  (await list(program, network.bob)).map(({ status }) => status).sort();

it('a request that has ended long ago is gone for both wallets, also after a rebuild, and its events are deleted', async () => {
  const { alice, bob } = network;
  const create = createBody(alice, bob);
  const { requestId } = (await post(program, 'create', create)).body as WalletRequest;
  const answer = respondBody(bob, requestId, 'confirmed');
  await post(program, 'respond', answer);
  await post(program, 'create', createBody(alice, bob, { expirationSeconds: 604_800 }));
  expect(await listed()).toEqual(['confirmed', 'pending']);

  program.advance(89 * DAY_MS);
  await until(async () => (await listed()).join() === 'confirmed,expired');
  expect(await applyIn(program, WALLET_REQUEST_RETENTION)).toBe(0);
  expect(await listed()).toEqual(['confirmed', 'expired']);

  program.advance(2 * DAY_MS);
  await applyIn(program, WALLET_REQUEST_RETENTION);
  await until(async () => (await listed()).length === 1);
  expect(await eventsLeft()).toContain('WalletRequestRemoved');
  expect(await eventsLeft()).not.toContain('WalletRequestConfirmed');
  // What was signed then creates and answers nothing now.
  expect((await post(program, 'create', create)).body).toMatchObject({ code: 'signature_expired' });
  expect((await post(program, 'respond', answer)).body).toMatchObject({ code: 'signature_expired' });
  const { comparison } = await program.deps.engine.rebuild('wallet-requests', program.deps);
  expect(comparison).toMatchObject({ documents: 2, different: 0, inconclusive: 0 });
  expect(await listed()).toEqual(['expired']);
});

it('the key of a wallet goes after its texts, that of one who writes again stays, and an erasure stays known', async () => {
  const { alice, bob } = network;
  const { handle, clock } = program.deps;
  const [aliceKey, bobKey] = [alice, bob].map(subjectOf) as [string, string];
  const timestamp = (): number => Math.floor(clock().getTime() / 1_000);
  const create = (message: string) =>
    post(program, 'create', createBody(alice, bob, { message, timestamp: timestamp() }));
  const messages = async (): Promise<unknown[]> =>
    (await list(program, bob)).flatMap(({ message }) => message || []);
  const erased = (subject: string) =>
    erase({ keys: program.keys, handle }, subject, { now: clock().toISOString(), actor: 'ann' });
  const { requestId } = (await create('for the rent')).body as WalletRequest;
  const answer = { response: 'fine', timestamp: timestamp() };
  await post(program, 'respond', respondBody(bob, requestId, 'confirmed', answer));
  await program.keys.ofSubject(ERASED, { hasAge: true });
  expect(await erased(ERASED)).toBe('erased');

  // The text stays for as long as its event does, although the key was not used.
  program.advance(200 * DAY_MS);
  expect(await deleteUnusedKeysIn(program)).toBe(0);
  expect(await messages()).toEqual(['for the rent']);

  await applyIn(program, WALLET_REQUEST_RETENTION);
  await until(async () => (await messages()).length === 0);
  program.advance(121 * DAY_MS);
  for (const subject of [aliceKey, bobKey]) expect(await leftOfKey(program, subject)).toHaveLength(2);
  await create('for the car');
  expect(await deleteUnusedKeysIn(program)).toBe(1);
  expect(await leftOfKey(program, bobKey)).toEqual([]);
  expect(await messages()).toEqual(['for the car']);
  expect(await erased(bobKey)).toBe('nothing_to_erase');
  expect(await erased(ERASED)).toBe('erased_before');
  expect(await erased(aliceKey)).toBe('erased');
  expect(await messages()).toEqual([]);
});
