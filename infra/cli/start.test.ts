import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthenticator } from '../../services/auth/authenticator';
import { fee } from '../../test/billing/instance';
import { commandLine } from '../../test/command-line';
import { temporaryFolder } from '../../test/temporary-folder';
import { openEmbeddedEngines } from '../engines/engines';
import { authConfig } from '../program/auth/auth';
import { feesCommand } from '../program/features/billing/fees-command';
import { readConfig } from '../program/settings/config';
import { greet } from './start';

const folder = temporaryFolder();
const { run, config, DATA_DIR } = commandLine(feesCommand);

const URL = 'http://127.0.0.1:3000';
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/;

/** What is written to a stream at the start. @param isTTY undefined for a pipe or a file, as in Node */
async function greetingOn(isTTY: true | undefined, settings = {}, isDemo = false): Promise<string> {
  let text = '';
  const stream = { isTTY, write: (part: string) => ((text += part), true) };
  await greet(readConfig({ DATA_DIR: folder, ...settings }), URL, stream as NodeJS.WriteStream, isDemo);
  return text;
}

describe('the greeting of a started program', () => {
  it('has a token that works, on a terminal', async () => {
    const [token] = TOKEN.exec(await greetingOn(true))!;
    const authenticate = await createAuthenticator(
      await authConfig(readConfig({ DATA_DIR: folder }), Date.now),
    );
    expect(await authenticate(`Bearer ${token}`)).toMatchObject({ subject: 'local', role: 'finance' });
  });

  it('is not written to a pipe or a file, which may be stored for long and read by many', async () => {
    expect(await greetingOn(undefined)).toBe('');
  });

  it('says which networks are local, and which are off', async () => {
    const text = await greetingOn(true, { TON_RPC_URL_TESTNET: 'off', SOLANA_RPC_URL_DEVNET: 'off' });
    expect(text).toContain('/devnet (TON mainnet, Solana mainnet: nothing');
    expect(text).toMatch(/off +TON testnet, Solana devnet\n/);
    expect(await greetingOn(true)).not.toMatch(/^ +off/m);
  });

  it('says what of the ledger is a demonstration, and how to begin with an empty one', async () => {
    const text = await greetingOn(true, {}, true);
    expect(text).toMatch(/demonstration +all merchants named “Demonstration: …”/);
    const prefix = `DATA_DIR=${folder}`;
    expect(text).toContain(`${prefix} npm run -s tidemark -- reset --yes && ${prefix} npm start\n`);
    expect(await greetingOn(true)).not.toMatch(/demonstration/i);
  });

  it('offers a demonstration where the ledger is empty alone', async () => {
    await openEmbeddedEngines(config()).close();
    expect(await greetingOn(true, { DATA_DIR })).toContain(
      `DATA_DIR=${DATA_DIR} npm run -s tidemark -- demo`,
    );
    const file = join(DATA_DIR, 'fees.ndjson');
    writeFileSync(file, `${JSON.stringify(fee({ id: 'f-1' }))}\n`);
    await run('fees', 'import', file);
    expect(await greetingOn(true, { DATA_DIR })).not.toContain('-- demo');
  });

  it('has no token where another issuer is configured', async () => {
    expect(await greetingOn(true, { INSTANCE_JWT_SECRET: 'x'.repeat(32) })).not.toMatch(TOKEN);
  });
});
