import { pino } from 'pino';
import { gaslessJettonStream } from '../../contracts/events/gasless-jetton';
import { gasless, gaslessSending } from '../../infra/program/features/gasless';
import { rates } from '../../infra/program/features/rates';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { startTestProgram, type TestProgram } from '../program';
import { temporaryFolder } from '../temporary-folder';

const [ONE, OTHER] = [`0:${'1'.repeat(64)}`, `0:${'2'.repeat(64)}`] as const;
const folder = temporaryFolder();
const jettons = (...listed: object[]) => ({ GASLESS_TESTNET_JETTONS: JSON.stringify(listed) });

/** What a start with these settings records, and the lines that it logs. */
async function startWith(settings: Record<string, string>) {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const program: TestProgram = await startTestProgram({
    features: [watch, ton, rates, gasless, gaslessSending],
    folder,
    logger,
    settings: {
      // Nothing answers there.
      TON_RPC_URL_TESTNET: 'http://127.0.0.1:9',
      GASLESS_TESTNET_PRIVATE_KEY: 'ab'.repeat(32),
      ...settings,
    },
  });
  const events: [string, unknown, unknown][] = [];
  const stream = gaslessJettonStream({ realm: 'live', network: 'testnet' });
  for await (const { type, data } of program.deps.engines.store.readStream(stream))
    events.push([type, data['master'], data['by']]);
  await program.stop();
  const said = lines.map(line => (JSON.parse(line) as { msg: string }).msg);
  return { events, said: said.filter(line => /jetton/i.test(line)) };
}

it('a start without jettons lists none, and says what to do', async () =>
  expect(await startWith({})).toEqual({
    events: [],
    said: ['no jetton pays for gasless transfers: add one with tidemark gasless tokens add'],
  }));

const first = { events: [['GaslessJettonListed', ONE, 'settings']], said: [] };

it('the first start whose settings name jettons lists them', async () =>
  expect(await startWith(jettons({ master: ONE, decimals: 6, perTon: '3' }))).toEqual(first));

it('a later one with the same settings, or with none, changes nothing and says nothing', async () => {
  expect(await startWith(jettons({ master: ONE, decimals: 6, perTon: '3' }))).toEqual(first);
  expect(await startWith({})).toEqual(first);
});

it.each([
  ['another jetton', { master: OTHER, decimals: 6, perTon: '3' }],
  ['another price', { master: ONE, decimals: 6 }],
])('a later one whose settings name %s changes nothing, and says so once', async (_, named) =>
  expect(await startWith(jettons(named))).toEqual({
    ...first,
    said: ['GASLESS_TESTNET_JETTONS is not used: the jettons are those of tidemark gasless tokens'],
  }),
);
