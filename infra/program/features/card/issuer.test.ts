import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { publishRunning } from '../../running-file';
import { readConfig } from '../../settings/config';
import { cardIssuing } from '../card-issuing';
import { cardIssuer, servesIssuerDouble } from './issuer';

const GATEWAY = {
  CARD_ISSUER_URL: 'https://issuer.example.com',
  CARD_ISSUER_KEY: 'k'.repeat(32),
  CARD_WEBHOOK_SECRETS: `whsec_${'A'.repeat(32)}`,
};

it.each([
  ['where the card service is off', { CARD_SANDBOX: 'false' }, false, 0],
  ['with the gateway of an issuer', { CARD_SANDBOX: 'true', ...GATEWAY }, false, 1],
  ['with the double', { CARD_SANDBOX: 'true' }, true, 1],
] as const)('%s there is a file with secrets of the double: %j', async (_, settings, isThere, secrets) => {
  const DATA_DIR = temporaryFolder();
  const config = readConfig({ DATA_DIR, ...settings });
  const use = () => Promise.resolve({ url: 'http://127.0.0.1:1' });
  const opened = await cardIssuer.open({ config, use } as never);
  expect(existsSync(join(DATA_DIR, 'keys', 'card-issuer-double'))).toBe(isThere);
  expect(opened.secrets).toHaveLength(secrets);
});

it('calls of the double are nothing for the log; those of an issuer are', () => {
  const ownPaths = (settings: Record<string, string>) => cardIssuing.ownPaths!(readConfig(settings));
  expect(ownPaths({})).toEqual(['/card/webhooks/issuer', '/card/testnet/webhooks/issuer']);
  expect(ownPaths(GATEWAY)).toEqual([]);
});

const SERVERS = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URL: 'mongodb://127.0.0.1:27017/tidemark?replicaSet=rs0',
  REDIS_URL: 'redis://127.0.0.1:6379',
};

it.each([
  ['without an address of the API', {}, expect.stringContaining('PUBLIC_URL')],
  ['with one', { PUBLIC_URL: 'http://127.0.0.1:3001' }, null],
])('in a process of its own the double says whether it can send webhooks: %s', async (_, more, said) => {
  const DATA_DIR = temporaryFolder();
  // Of an earlier start on embedded engines, where nothing answers now.
  const urls = { url: 'http://127.0.0.1:1', operatorsUrl: 'http://127.0.0.1:1' };
  publishRunning(DATA_DIR, { pid: 1, ...urls, startedAt: new Date().toISOString() });
  const config = readConfig({ DATA_DIR, ...SERVERS, CARD_SANDBOX: 'true', ...more });
  const { checks = [] } = await servesIssuerDouble.start({ config, use: async () => null } as never);
  expect(await Promise.all(checks.map(({ run }) => run()))).toEqual([said]);
});
