import { WALLET_REQUEST_RETENTION } from '../../services/wallet-requests/retention';
import { applyIn } from '../apply-retention';
import { until } from '../until';
import { startRequestProgram, startWalletNetwork, type RequestProgram, type WalletNetwork } from './program';
import { createBody, list, post, respondBody, type WalletRequest } from './wallet';

const DAY_MS = 86_400_000;

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
