import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { appConfigsProjection } from './app-configs';

const published = (network: string, version: number, at: string) =>
  [
    `appConfig-app:${network}`,
    {
      type: 'AppConfigPublished',
      data: { name: 'app', network, version, content: { txTimeout: version }, restores: null, at, by: 'ann' },
      metadata: { v: 1 },
    },
  ] as const;

it('has the last version of each network, and the time of its first', () =>
  given(
    appConfigsProjection,
    history(
      published('mainnet', 1, '2026-03-01T12:00:00.000Z'),
      published('testnet', 1, '2026-03-02T12:00:00.000Z'),
      published('mainnet', 2, '2026-03-03T12:00:00.000Z'),
    ),
  ).then({
    app_configs: [
      {
        _id: 'app:mainnet',
        version: 2,
        content: { txTimeout: 2 },
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-03T12:00:00.000Z',
      },
      {
        _id: 'app:testnet',
        version: 1,
        content: { txTimeout: 1 },
        createdAt: '2026-03-02T12:00:00.000Z',
        updatedAt: '2026-03-02T12:00:00.000Z',
      },
    ],
  }));
