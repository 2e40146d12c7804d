import { join } from 'node:path';
import type { ResponseExamples } from '../../contracts/http/endpoint';
import { RESPONSE_EXAMPLES } from '../../contracts/http/response-examples';
import type { Json } from '../../contracts/json/json';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { send, type Answer } from './client';
import { comparisonWith, type OpenApiDocument } from './documented';
import {
  callExample,
  exampleCallsOf,
  showsSomething,
  type Documented,
  type ExampleCall,
} from './example-calls';
import { EXCEPTIONS } from './example-exceptions';
import { differences, record, shortened } from './response-examples';
import { startTidemark, tidemarkJson, type Tidemark } from './tidemark';
import '../starts-programs';

/*
 * Calls every operation of /openapi.json with its own example, on a program that runs as `npm start -- --demo` does, and compares
 * the answers with those that the document shows. `npm run record-examples` records those that are missing or differ.
 */

const RECORDING = process.env['RECORD_EXAMPLES'] === 'true';
const TEST_MS = 1_200_000;
/** For what an operation waits for: documents, partners, the first read of an account. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Before all others, in this order: others show what these have written. */
const FIRST = [
  'recordFees',
  'instanceAdmin preview_invoice',
  'instanceAdmin preview_settlement',
  'instanceAdmin set_rebate_rule',
  'instanceAdmin set_merchant',
  'instanceAdmin generate_invoice',
  'instanceAdmin finalize_invoice',
  'instanceAdmin void_invoice',
  'instanceAdmin generate_settlement',
  'instanceAdmin mark_settlement_paid',
  'instanceAdmin void_settlement',
  'exchangeTransactionCreate',
  'submitAppReview',
  'submitAppReport',
  'walletRequestCreate',
  'storageWrite',
  'tonconnectMessage',
  'connectInit',
  'connectAnswer',
  'connectGrant',
  'connectCommand',
  'getConnectCommand',
  'getConnectSession',
  'waitForConnectSession',
  'startCardPhone',
  'confirmCardPhone',
  'startCardEmail',
  'confirmCardEmail',
  'startCardKyc',
];
/** Changes that must not be made twice. */
const ONCE = /^(?:recordFees|instanceAdmin (?:generate|finalize|void|mark|set)_)/;

const nameOf = ({ operationId, name }: ExampleCall): string => `${operationId} ${name}`;
const placeOf = (call: ExampleCall): number => FIRST.findIndex(first => nameOf(call).startsWith(first));
const isFirst = (call: ExampleCall): boolean => placeOf(call) >= 0;

const folder = temporaryFolder();
let program: Tidemark;
let document: OpenApiDocument;
let compare: ReturnType<typeof comparisonWith>;
let calls: readonly ExampleCall[];
const answers = new Map<string, Answer>();

beforeAll(async () => {
  const settings = { DATA_DIR: join(folder, 'data'), SECURE_SESSION_MAX_AGE: '86400' };
  program = await startTidemark(settings, ['start', '--demo']);
  const issue = ['token', '--role', 'admin', '--secure', '--ttl', '86400'];
  const { token } = await tidemarkJson<{ token: string }>(issue, settings);
  await until(
    async () => (await send(program.url, 'GET', '/devnet')).body.seeded as boolean,
    Boolean,
    TEST_MS,
  );
  await until(() => program.output().includes('demonstration recorded'), Boolean, TEST_MS);

  ({ body: document } = await send(program.url, 'GET', '/openapi.json'));
  compare = comparisonWith(document);
  // The other mount of the card service has the same endpoints, and no card holder that everybody knows.
  calls = exampleCallsOf(document.paths as unknown as Documented).filter(
    ({ path }) => !path.startsWith('/card/testnet/'),
  );
  for (const call of calls.filter(isFirst).sort((a, b) => placeOf(a) - placeOf(b))) await ask(call, token);
  const others = calls.filter(call => !isFirst(call));
  await Promise.all(others.filter(call => !(nameOf(call) in EXCEPTIONS)).map(call => ask(call, token)));
  await Promise.all(others.filter(call => EXCEPTIONS[nameOf(call)]?.instead).map(call => ask(call, token)));
}, TEST_MS);

/** Calls it until it is answered with something, and keeps the answer. */
async function ask(call: ExampleCall, token: string): Promise<void> {
  const name = nameOf(call);
  const headers: Record<string, string> = call.secured ? { authorization: `Bearer ${token}` } : {};
  const once = async (): Promise<Answer> => {
    const example = (call.body ?? {}) as Readonly<Record<string, unknown>>;
    const bodies = new Map([...answers].map(([each, { body }]) => [each, body as unknown]));
    const values = await EXCEPTIONS[name]?.instead?.(bodies, example, program.url);
    const params = { ...call.params, ...values?.params };
    answers.set(name, await callExample(program.url, { ...call, ...values, params }, headers));
    return answers.get(name)!;
  };
  // Of what is not known yet an answer may leave something out, such as a pool that is recommended.
  const isWhole = (answer: Answer): boolean =>
    RECORDING || !isJson(call, answer) || faultsOf(call, answer).length === 0;
  const isEnough = (answer: Answer): boolean =>
    ONCE.test(name) ? answer.status !== 503 : isAnswered(answer) && isWhole(answer);
  await until(once, isEnough, ANSWER_TIMEOUT_MS).catch((error: Error) => {
    if (!answers.has(name)) answers.set(name, { status: 0, headers: new Headers(), body: error.message });
  });
}

afterAll(() => program?.kill('SIGTERM'));

const isAnswered = ({ status, body }: Answer): boolean => status > 0 && status < 300 && showsSomething(body);

it('has an answer with something in it to each example', () => {
  const unanswered = [...answers]
    .filter(([, answer]) => !isAnswered(answer))
    .map(([name, { status, body }]) => `${name}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  expect(unanswered).toEqual([]);
});

it('has few examples that cannot be answered as they are', () => {
  const names = calls.map(nameOf);
  expect(Object.keys(EXCEPTIONS).filter(name => !names.includes(name))).toEqual([]);
  expect(calls.length).toBeGreaterThan(7 * Object.keys(EXCEPTIONS).length);
});

it('documents no bound or value that stands for a number of any size', () => {
  expect(JSON.stringify(document)).not.toContain('9007199254740991');
});

/** All but files, images and the messages of WebSockets. */
const isJson = ({ kind }: ExampleCall, { body }: Answer): boolean =>
  typeof body === 'object' && kind !== 'websocket';

const jsonAnswers = (): [ExampleCall, Answer][] =>
  calls.flatMap(call => {
    const answer = answers.get(nameOf(call));
    return answer && isJson(call, answer) && isAnswered(answer)
      ? [[call, answer] as [ExampleCall, Answer]]
      : [];
  });

/** Where a program usually is. */
const withUsualAddress = (body: Json): Json =>
  JSON.parse(JSON.stringify(body).replaceAll(program.url, 'http://127.0.0.1:3000')) as Json;

(RECORDING ? it : it.skip)('records the answers', () => {
  const groups = new Map<string, Record<string, Record<string, Json>>>();
  for (const [call, answer] of jsonAnswers()) {
    const { tags } = operationOf(call);
    const group = groups.get(tags[0]!) ?? {};
    groups.set(tags[0]!, group);
    const recorded = RESPONSE_EXAMPLES[call.operationId]?.[call.name];
    const fits = recorded !== undefined && faultsOf(call, answer).length === 0;
    const live = withUsualAddress(shortened(answer.body as Json));
    (group[call.operationId] ??= {})[call.name] = fits ? recorded : live;
  }
  record(groups as ReadonlyMap<string, ResponseExamples>);
});

interface Shown {
  readonly tags: readonly string[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly examples?: Recorded }>> }>
  >;
}
type Recorded = Readonly<Record<string, { readonly value: Json }>>;

const operationOf = ({ path, method }: ExampleCall): Shown =>
  document.paths[path]![method.toLowerCase()] as unknown as Shown;

/** How the answer that the document shows differs from the contract, and from a live one. */
function faultsOf(call: ExampleCall, answer: Answer): string[] {
  const [content] = Object.values(operationOf(call).responses[answer.status]?.content ?? {});
  const shown = content?.examples?.[call.name];
  if (!shown) return [`${nameOf(call)}: no recorded answer`];
  const exchange = { ...answer, url: program.url, method: call.method, path: call.path, body: shown.value };
  const { faults } = compare(exchange)!;
  return [...faults, ...differences(shown.value, answer.body as Json)].map(
    fault => `${nameOf(call)}: ${fault}`,
  );
}

(RECORDING ? it.skip : it)('shows answers that are as the recorded ones', () => {
  expect(jsonAnswers().flatMap(([call, answer]) => faultsOf(call, answer))).toEqual([]);
});
