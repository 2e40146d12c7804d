import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { readConfig } from '../../settings/config';
import { cardIssuer } from './issuer';

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
