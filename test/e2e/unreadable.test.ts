import { join } from 'node:path';
import { pino } from 'pino';
import { v4 } from 'uuid';
import WebSocket from 'ws';
import { issueLocalToken } from '../../infra/program/commands/local-token';
import { openEmbeddedEngines } from '../../infra/engines/engines';
import { readConfig } from '../../infra/program/settings/config';
import { PROJECTIONS, TOPICS } from '../../infra/program/features';
import { start } from '../../infra/program/main';
import { planGeneration } from '../../projections/engine/generation';
import { ENGINE_COLLECTIONS } from '../../projections/engine/projection-record';
import { isLogProjection } from '../../projections/projection';
import { keysOf, readRequest } from '../storage/device';
import { temporaryFolder } from '../temporary-folder';
import { unixNow } from '../wallet-requests/wallet';
import { send } from './client';
import { EXAMPLES, type Example } from './examples';
import { pathOf } from './malformed-requests';
import { environment } from './tidemark';

const folder = temporaryFolder();
const config = readConfig(environment({ DATA_DIR: join(folder, 'data'), LOCAL_TRAFFIC: 'false' }));
const TOKEN = { role: 'admin', secure: true, issuer: 'instance', subject: 'operator', ttl: 3_600 } as const;

/** Something to fold for every projection, in every partition. */
async function fillSources(): Promise<void> {
  const engines = openEmbeddedEngines(config);
  const categories = new Set(PROJECTIONS.flatMap(each => (isLogProjection(each) ? [] : each.categories)));
  for (const category of categories)
    await engines.store.append(`${category}-${config.INSTANCE_ID}`, 'any', [
      { id: v4(), type: 'Unknown', data: {}, metadata: { v: 1 } },
    ]);
  await engines.log.declare(TOPICS);
  const messages = Array.from({ length: 100 }, (_, i) => ({ key: `key-${i}`, value: Buffer.from('{}') }));
  for (const { name } of TOPICS) await engines.log.publish(name, messages);
  await engines.close();
}

/** As an error of its fold leaves every projection. */
async function stopAll(): Promise<void> {
  const engines = openEmbeddedEngines(config);
  await engines.documents.declare(ENGINE_COLLECTIONS);
  for (const projection of PROJECTIONS) {
    const generation = (await planGeneration(engines, projection))(1);
    const fault = { at: 'position 0', error: 'cannot be folded', since: '2026-11-26T00:00:00.000Z' };
    const document = {
      _id: projection.name,
      ...generation,
      revision: 0,
      latest: 1,
      building: null,
      retired: [],
      fault,
    };
    await engines.documents.commit({
      writes: [{ collection: 'projections', id: projection.name, document }],
    });
  }
  await engines.close();
}

function nameOf({ method, path, body }: Example): string {
  const { action, fees, input } = (body ?? {}) as {
    action?: string;
    fees?: { action: string }[];
    input?: { signature?: string };
  };
  return [method, path, action ?? fees?.[0]?.action, input?.signature && 'signed'].filter(Boolean).join(' ');
}

/** The body, signed about now where the example is signed: else it would be refused before anything is read. */
function signedNow({ path, body }: Example): unknown {
  if (path === '/storage/read') return readRequest(keysOf('unreadable'));
  const { input, timestamp } = (body ?? {}) as { input?: object; timestamp?: number };
  if (input && 'timestamp' in input)
    return { ...(body as object), input: { ...input, timestamp: unixNow() } };
  return timestamp === undefined ? body : { ...(body as object), timestamp: unixNow() };
}

async function answerOf(url: string, token: string, example: Example): Promise<string> {
  const { method, query = {}, kind } = example;
  const body = signedNow(example);
  const path = `${pathOf(example)}?${new URLSearchParams(query)}`;
  if (kind === 'websocket') return framesOf(`${url.replace('http', 'ws')}${path}`);
  const {
    status,
    body: answer,
    headers,
  } = await send(url, method, path, {
    body: typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body),
    headers: { authorization: `Bearer ${token}` },
  });
  const code = (answer as { code?: string } | null)?.code ?? '';
  if (code === 'not_ready')
    expect([path, headers.get('retry-after')]).toEqual([path, expect.stringMatching(/^\d+$/)]);
  return `${status} ${code}`.trim();
}

/** The first frame of a WebSocket, or why it is closed before. */
const framesOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
      .on('message', data => {
        resolve(`frame ${String(data)}`);
        socket.terminate();
      })
      .on('close', (code, reason) => resolve(`${code} ${String(reason)}`))
      .on('error', reject);
  });

/** What reads no projection: nodes, partners, settings, the events themselves; and commands, which decide by their stream. */
const INDEPENDENT = [
  'GET /rpc/{network}/block/latest',
  'GET /rpc/{network}/block/utime/{utime}',
  'GET /rpc/{network}/block/{seqno}',
  'GET /rpc/{network}/block/{seqno}/config',
  'GET /rpc/{network}/block/{seqno}/config/{ids}',
  'GET /rpc/{network}/block/{seqno}/{address}',
  'GET /rpc/{network}/block/{seqno}/{address}/lite',
  'GET /rpc/{network}/block/{seqno}/{address}/changed/{lt}',
  'GET /rpc/{network}/block/{seqno}/{address}/run/{method}',
  'GET /rpc/{network}/block/{seqno}/{address}/run/{method}/{args}',
  'GET /rpc/{network}/account/{address}/tx/{lt}/{hash}',
  'GET /rpc/{network}/account/{address}/tx/parsed/{lt}/{hash}',
  'POST /rpc/{network}/send',
  'GET /rpc/{network}/block/watch',
  'GET /rpc/{network}/block/watch/changed',
  'GET /tokens/image',
  'POST /jettons/wallet/address',
  'GET /balances/old/{pubkey}',
  'POST /solana/transaction/fees/{network}',
  'GET /gasless/{network}/config',
  'POST /gasless/{network}/estimate',
  'POST /gasless/{network}/send',
  'GET /v2/gasless/config',
  'POST /v2/gasless/estimate/{master_id}',
  'POST /v2/gasless/send',
  'POST /tonconnect/message',
  'POST /tonconnect/verify',
  'GET /exchange/widget',
  'GET /exchange/dex',
  'GET /.well-known/tidemark-ledger-keys.json',
  'POST /client-error/report',
  'GET /jsons/tonconnect-manifest.json',
  'GET /jsons/card-icon.png',
  'POST /card/v2/user/wallet/connect',
  'POST /card/v2/invite/wallet/check/v2',
  'POST /card/v2/public/accounts',
  'POST /card/webhooks/issuer',
  'POST /storage/write',
  'POST /apps/reviews',
  'POST /apps/reports',
  'POST /connect/init',
  'POST /connect/answer',
  'POST /connect/grant',
  'POST /connect/revoke',
  'POST /connect/command',
  'POST /api/fees record',
  'POST /api/fees collect',
  'POST /api/fees waive',
  'POST /api/fees reverse',
  'POST /api/instance-admin set_merchant',
  'POST /api/instance-admin set_rebate_rule',
  'POST /api/instance-admin get_rebate_rule',
  'POST /api/instance-admin get_fee_history',
  'POST /api/instance-admin list_audit_trail',
  'POST /api/instance-admin finalize_invoice',
  'POST /api/instance-admin void_invoice',
];

/** The answers to all examples, by operation, of a program that folds nothing; and the reason why it is not ready. */
async function answers(): Promise<{ readonly answered: Map<string, Set<string>>; readonly reason: string }> {
  const running = await start(config, pino({ level: 'silent' }), ['networks', 'api', 'bridge']);
  try {
    const token = await issueLocalToken(config, TOKEN);
    const answered = new Map<string, Set<string>>();
    // Event streams are of messages, which no projection has.
    const examples = EXAMPLES.filter(({ kind }) => kind !== 'sse');
    await Promise.all(
      examples.map(async example => {
        const answer = await answerOf(running.url, token, example);
        const name = nameOf(example);
        answered.set(name, (answered.get(name) ?? new Set()).add(answer));
      }),
    );
    const { status, body } = await send(running.operatorsUrl, 'GET', '/health/ready');
    expect(status).toBe(503);
    expect((await send(running.url, 'GET', '/health/live')).status).toBe(200);
    expect((await send(running.operatorsUrl, 'GET', '/metrics')).status).toBe(200);
    return { answered, reason: (body as { checks: { projections: string } }).checks.projections };
  } finally {
    await running.stop();
  }
}

function expectRefused(
  answered: ReadonlyMap<string, ReadonlySet<string>>,
  refusals: readonly string[],
): void {
  const served = [...answered].filter(([, all]) => [...all].some(answer => !refusals.includes(answer)));
  expect(served.filter(([name]) => !INDEPENDENT.includes(name))).toEqual([]);
  for (const [, all] of served) for (const answer of all) expect(answer).not.toMatch(/^500/);
}

const NAMES = PROJECTIONS.map(({ name }) => name).join(', ');

describe('a program whose projections', () => {
  beforeAll(fillSources);

  it('have not folded what there was at its start shows nothing of them, and is not ready', async () => {
    const { answered, reason } = await answers();
    expectRefused(answered, ['503 not_ready', '1013 not_ready']);
    expect(reason).toBe(`behind: ${NAMES}`);
  });

  it('have stopped shows nothing of them, and says where they stopped', async () => {
    await stopAll();
    const { answered, reason } = await answers();
    expectRefused(answered, ['503 stored_data_damaged', '1011 stored_data_damaged']);
    expect(reason).toBe(`stopped: ${NAMES}`);
  });
});
