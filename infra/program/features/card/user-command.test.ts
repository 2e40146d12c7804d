import { cardTokenStream } from '../../../../contracts/events/card-token';
import { cardUserId, cardUserStream } from '../../../../contracts/events/card-user';
import { cardTokenKind } from '../../../../services/card/tokens/decider';
import { publicUserId } from '../../../../services/card/user/profile';
import { cardUserKind } from '../../../../services/card/user/decider';
import { createHandle } from '../../../../services/commands/handle';
import { listErasures } from '../../../../services/erasure/list';
import { commandLine } from '../../../../test/command-line';
import { withEngines } from '../../commands/with-engines';
import { eraseCommand } from '../erasure/erase-command';
import { cardCommand } from './card-command';

const { run, config } = commandLine(cardCommand, eraseCommand);
const user = async (...words: string[]) =>
  JSON.parse(await run('--json', 'card', 'user', ...words)) as Record<string, unknown>;

const publicKey = 'ab'.repeat(32);
const userId = cardUserId('testnet', publicKey);
const metadata = { now: new Date().toISOString(), actor: userId };

beforeAll(() =>
  withEngines(config(), async ({ engines: { store } }) => {
    const handle = createHandle({ store });
    await handle(cardUserKind, cardUserStream(userId), {
      type: 'enrol',
      userId,
      network: 'testnet',
      publicKey,
      isInvited: true,
      source: 'here',
      hasPlace: true,
      wallets: [{ chain: 'ton', address: `0:${'1'.repeat(64)}`, version: 'v4r2' }],
      metadata,
    });
    for (const digest of ['c'.repeat(64), 'd'.repeat(64)])
      await handle(cardTokenKind, cardTokenStream(digest), {
        type: 'issue',
        digest,
        userId,
        network: 'testnet',
        epoch: 0,
        source: 'here',
        metadata,
      });
  }),
);

it('finds a card holder by its key, and shows what is not personal of it', async () => {
  expect(await user('find', '--network', 'testnet', '--key', publicKey)).toEqual({
    userId,
    publicId: publicUserId(userId),
  });
  await expect(run('card', 'user', 'find', '--network', 'mainnet', '--key', publicKey)).rejects.toThrow(
    'No card holder on mainnet has this key',
  );
  expect(await user('show', userId)).toMatchObject({
    userId,
    network: 'testnet',
    publicKey,
    state: 'need-phone',
    suspended: false,
    tokens: 2,
    wallets: [{ chain: 'ton', version: 'v4r2' }],
  });
});

it('suspends for a reason that only its key reads, and resumes', async () => {
  expect(await user('suspend', userId, '--reason', 'a stolen phone')).toEqual({ userId, changed: true });
  expect(await user('suspend', userId, '--reason', 'again')).toEqual({ userId, changed: false });
  expect(await user('show', userId)).toMatchObject({ suspended: true });
  await withEngines(config(), async ({ engines: { store } }) => {
    for await (const page of store.readAll({}))
      for (const event of page) expect(JSON.stringify(event)).not.toContain('stolen');
  });
  expect(await user('resume', userId)).toEqual({ userId, changed: true });
  expect(await user('resume', userId)).toEqual({ userId, changed: false });
});

it('revokes all tokens', async () => {
  expect(await user('revoke-tokens', userId)).toEqual({ userId, changed: true });
  expect(await user('show', userId)).toMatchObject({ tokens: 0 });
});

it('has its personal texts erased by the id of the user', async () => {
  await run('erase', userId, '--yes');
  await withEngines(config(), async ({ engines: { store } }) => {
    const erased = [];
    for await (const each of listErasures(store)) erased.push(each);
    expect(JSON.stringify(erased)).toContain(userId);
  });
});

it('refuses who is not enrolled, and what is no id', async () => {
  const other = cardUserId('testnet', 'ac'.repeat(32));
  for (const words of [['show'], ['resume'], ['revoke-tokens']])
    await expect(run('card', 'user', ...words, other)).rejects.toThrow(/card holder/);
  await expect(run('card', 'user', 'show', 'nobody')).rejects.toThrow('the id of a card holder');
});
