import { history, type EventInput } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { connectionsProjection } from './connections';

const at = (second: number): string => `2026-03-01T12:00:0${second}.000Z`;
const ms = (second: number): number => Date.parse(at(second));
const app = { testnet: true, name: 'An app', url: 'https://app.example' };
const wallet = {
  address: `0:${'ab'.repeat(32)}`,
  walletType: 'org.ton.wallets.v4',
  walletConfig: 'wc=0',
  walletSig: 'sig',
  appPublicKey: 'phone',
  endpoint: 'https://connect.example',
};
const session = (type: string, key: string, second: number, data: object = {}) =>
  [
    `connectSession-${key}`,
    { type: `ConnectSession${type}`, data: { key, at: at(second), ...data }, metadata: { v: 1 } },
  ] as const;
const command = (key: string, job: string, second: number) =>
  [
    `connectCommand-${key}:${job}`,
    {
      type: 'ConnectCommandSubmitted',
      data: { session: key, appPublicKey: 'phone', command: 'sign', job, expiresAt: at(9), at: at(second) },
      metadata: { v: 1 },
    },
  ] as const;
const opened = (key: string, second: number) => session('Opened', key, second, { ...app, expiresAt: at(9) });
const answered = (key: string, second: number) =>
  session('Answered', key, second, { kind: 'ton-x', testnet: true, name: null, wallet });

const awaiting = {
  ...app,
  expires: ms(9),
  wallet: null,
  answered: null,
  granted: false,
  revoked: false,
  source: null,
};

it('has each session as it is now, with a later time after every change', () =>
  given(
    connectionsProjection,
    history(
      opened('a', 1),
      opened('b', 1),
      answered('b', 1),
      opened('c', 1),
      answered('c', 2),
      session('Granted', 'c', 3),
      opened('d', 2),
      answered('d', 4),
      session('Granted', 'd', 3),
      session('Revoked', 'd', 5),
      session('Used', 'c', 8),
    ),
  ).then({
    connect_sessions: [
      { _id: 'a', ...awaiting, created: ms(1), updated: ms(1), used: ms(1) },
      {
        _id: 'b',
        ...awaiting,
        wallet,
        answered: ms(1),
        created: ms(1),
        updated: ms(1) + 1,
        used: ms(1),
      },
      {
        _id: 'c',
        ...awaiting,
        wallet,
        answered: ms(2),
        granted: true,
        created: ms(1),
        updated: ms(3),
        used: ms(8),
      },
      {
        _id: 'd',
        ...awaiting,
        wallet,
        answered: ms(4),
        granted: true,
        revoked: true,
        created: ms(2),
        updated: ms(5),
        used: ms(5),
      },
    ],
  }));

it('has a connection that was reported with what the wallet says of the application', () => {
  const report = (name: string | null, endpoint: string | null) => ({
    kind: 'tonconnect-v2',
    testnet: false,
    name,
    wallet: { ...wallet, endpoint },
  });
  const ready = {
    testnet: false,
    created: ms(1),
    updated: ms(1),
    expires: null,
    answered: ms(1),
    granted: false,
    revoked: false,
    used: ms(1),
    source: null,
  };
  return given(
    connectionsProjection,
    history(
      session('Answered', 'a', 1, report('An app', 'https://app.example')),
      session('Answered', 'b', 1, report(null, null)),
    ),
  ).then({
    connect_sessions: [
      {
        _id: 'a',
        ...ready,
        name: 'An app',
        url: 'https://app.example',
        wallet: { ...wallet, endpoint: 'https://app.example' },
      },
      { _id: 'b', ...ready, name: '', url: '', wallet: { ...wallet, endpoint: null } },
    ],
  });
});

it('has no session that was removed', () =>
  given(
    connectionsProjection,
    history(opened('a', 1), session('Removed', 'a', 9), opened('b', 1), session('Removed', 'c', 9)),
  ).then({ connect_sessions: [{ _id: 'b', ...awaiting, created: ms(1), updated: ms(1), used: ms(1) }] }));

describe('commands to an installation', () => {
  const at9 = { source: null, created: ms(2), expires: ms(9) };
  const submitted = (
    of: string,
    job: string,
    address: string | null,
    { source = null, isOfFirstWallets = true }: { source?: string | null; isOfFirstWallets?: boolean } = {},
  ) => {
    const [stream, { type, data }] = command(of, job, 2);
    const more = { wallet: address, isOfFirstWallets, source };
    return [stream, { type, data: { ...data, ...more }, metadata: { v: 4 } }] as const;
  };
  const answeredBy = (key: string, address: string) => {
    const [stream, event] = answered(key, 1);
    return [stream, { ...event, data: { ...event.data, wallet: { ...wallet, address } } }] as const;
  };
  const sessionsOf = (...keys: string[]) => keys.map(key => expect.objectContaining({ _id: key }) as never);

  it('are the latest to each of its first wallets', () =>
    given(
      connectionsProjection,
      history(
        ...['a', 'b', 'c'].map(key => opened(key, 1)),
        answeredBy('a', 'first'),
        answeredBy('b', 'second'),
        answeredBy('c', 'first'),
        submitted('b', 'job1', 'second'),
        submitted('a', 'job2', 'first'),
        submitted('c', 'job3', 'first'),
        submitted('b', 'job4', 'unknown', { isOfFirstWallets: false }),
        submitted('b', 'job5', 'another unknown', { isOfFirstWallets: false }),
      ),
    ).then({
      connect_sessions: sessionsOf('a', 'b', 'c'),
      connect_commands: [
        {
          _id: 'phone',
          commands: [
            { wallet: 'second', session: 'b', job: 'job1', ...at9 },
            { wallet: 'first', session: 'c', job: 'job3', ...at9 },
            { wallet: null, session: 'b', job: 'job5', ...at9 },
          ],
        },
      ],
    }));

  it('to further wallets are the latest of each source, and of the last sources alone', () =>
    given(
      connectionsProjection,
      history(
        opened('a', 1),
        ...[1, 2, 3, 4, 5, 4].map((source, n) =>
          submitted('a', `job${n}`, 'unknown', { source: `source ${source}`, isOfFirstWallets: false }),
        ),
      ),
    ).then({
      connect_sessions: sessionsOf('a'),
      connect_commands: [
        {
          _id: 'phone',
          commands: (
            [
              ['source 2', 'job1'],
              ['source 3', 'job2'],
              ['source 5', 'job4'],
              ['source 4', 'job5'],
            ] as const
          ).map(([source, job]) => ({ ...at9, wallet: null, session: 'a', job, source })),
        },
      ],
    }));

  it('are gone once they are removed, each alone, with and without the events of those before', async () => {
    const removed = (job: string, second: number) =>
      [
        `connectCommand-a:${job}`,
        {
          type: 'ConnectCommandRemoved',
          data: { session: 'a', appPublicKey: 'phone', submittedAt: at(second), expiresAt: at(9), at: at(9) },
          metadata: { v: 1 },
        },
      ] as const;
    const sessions = [opened('a', 1), answeredBy('a', 'first')] as const;
    const [first, second] = [submitted('a', 'job1', 'first'), command('a', 'job2', 3)];
    const expectJobs = (
      events: readonly (readonly [stream: string, event: EventInput])[],
      ...jobs: readonly string[]
    ) =>
      given(connectionsProjection, history(...sessions, ...events)).then({
        connect_sessions: sessionsOf('a'),
        ...(jobs.length > 0 && {
          connect_commands: [
            { _id: 'phone', commands: jobs.map(job => expect.objectContaining({ job }) as never) },
          ],
        }),
      });
    await expectJobs([first, second], 'job1', 'job2');
    await expectJobs([first, second, removed('job1', 2)], 'job2');
    await expectJobs([second, removed('job1', 2)], 'job2');
    await expectJobs([first, second, removed('job1', 2), removed('job2', 3)]);
    await expectJobs([removed('job1', 2), removed('job2', 3)]);
  });

  it('are of at most sixteen wallets, also after some of them have gone', () =>
    given(
      connectionsProjection,
      history(...Array.from({ length: 18 }, (_, n) => submitted('a', `job${n}`, `wallet ${n}`))),
    ).then({
      connect_commands: [
        {
          _id: 'phone',
          commands: Array.from({ length: 16 }, (_, n) => ({
            wallet: `wallet ${n + 2}`,
            session: 'a',
            job: `job${n + 2}`,
            ...at9,
          })),
        },
      ],
    }));
});
