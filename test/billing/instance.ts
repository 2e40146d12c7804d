import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { pino } from 'pino';
import request, { type Response } from 'supertest';
import { createCalendar } from '../../contracts/calendar';
import type { FeeRequest } from '../../contracts/http/billing-fees';
import type { Role } from '../../contracts/principal';
import { openSqliteDocuments } from '../../infra/documents/sqlite';
import type { EventStore } from '../../infra/event-store/port';
import { openSqliteEventStore } from '../../infra/event-store/sqlite';
import type { Log } from '../../infra/log/port';
import { feesProjection } from '../../projections/billing/fees';
import { invoicesProjection } from '../../projections/billing/invoices';
import { createProjectionEngine, type ProjectionEngine } from '../../projections/engine/engine';
import { createAuthenticator } from '../../services/auth/authenticator';
import { issueToken } from '../../services/auth/issue-token';
import { localKey, publicKeys } from '../../services/auth/local-keys';
import { billingRoutes, type BillingDeps } from '../../services/billing/routes';
import { createHandle } from '../../services/handle';
import { createApp } from '../../services/http/app';

export interface TestInstance {
  readonly app: Express;
  readonly store: EventStore;
  readonly engine: ProjectionEngine;
  readonly deps: BillingDeps;
  token(who: {
    role: Role;
    issuer?: 'instance' | 'platform';
    secure?: boolean;
    age?: number;
  }): Promise<string>;
  /** As an admin in a secure session; reads wait for all that was written before. */
  act(body: object): Promise<Response>;
  record(fees: readonly FeeInput[]): Promise<Response>;
  close(): Promise<void>;
}

export type FeeInput = Partial<Record<keyof Extract<FeeRequest, { fee_type: string }>, string>> & {
  id: string;
};

/** A row as clients send it, all but what the test is about filled in. */
export const fee = (row: FeeInput): FeeInput =>
  row.action && row.action !== 'record'
    ? row
    : {
        fee_type: 'creation',
        fee_amount: '1.50',
        gross_amount: '100.00',
        collection_status: 'collected',
        created_at: '2026-11-20T11:00:00.000Z',
        merchant_id: 'm-1',
        merchant_name: 'Espresso & Co',
        merchant_slug: 'espresso',
        ...row,
      };

const silent = pino({ level: 'silent' });
const NAMES = { instance: 'urn:instance', platform: 'urn:platform' };

/** The billing half of an instance on the embedded engines, in a folder of its own. */
export async function openInstance(
  options: {
    readonly timeZone?: string;
    readonly voidReasonRequired?: boolean;
    readonly now?: () => string;
    /** Stands between the services and the event store. */
    readonly around?: (store: EventStore) => EventStore;
  } = {},
): Promise<TestInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-billing-'));
  const store = openSqliteEventStore({ path: join(folder, 'events.db') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.db') });
  const running = new AbortController();
  const engine = createProjectionEngine({
    projections: [feesProjection, invoicesProjection],
    documents,
    store,
    log: {} as Log,
    clock: () => new Date(),
    logger: silent,
    signal: running.signal,
  });
  const projecting = engine.run(running.signal);

  const seen = options.around?.(store) ?? store;
  const deps: BillingDeps = {
    store: seen,
    handle: createHandle({ store: seen }),
    views: engine.views,
    calendar: createCalendar(options.timeZone ?? 'UTC'),
    currency: 'USD',
    instanceId: 'local',
    newId: randomUUID,
    now: options.now ?? (() => new Date().toISOString()),
    patience: 5_000,
    secureSession: { maxAge: 900, acrValues: ['aal2'] },
    voidReasonRequired: options.voidReasonRequired ?? false,
  };

  const keys = { instance: await localKey(folder, 'instance'), platform: await localKey(folder, 'platform') };
  const verified = (kind: 'instance' | 'platform') => ({
    issuer: NAMES[kind],
    audience: 'tidemark',
    algorithms: ['EdDSA'],
    keys: { kind: 'keys' as const, keys: publicKeys(keys[kind]) },
  });
  const authenticate = await createAuthenticator({
    instanceId: 'local',
    instance: verified('instance'),
    platform: verified('platform'),
    acrValues: ['aal2'],
    now: Date.now,
  });
  const app = createApp(billingRoutes(deps), {
    logger: silent,
    trustedProxies: 0,
    checkResponses: true,
    authenticate,
  });

  const token: TestInstance['token'] = ({ role, issuer: kind = 'instance', secure = false, age = 0 }) =>
    issueToken(
      {
        kind,
        issuer: NAMES[kind],
        audience: 'tidemark',
        instanceId: 'local',
        key: keys[kind],
        acr: 'aal2',
        now: () => Date.now() - age * 1_000,
      },
      { subject: `${role}@test`, role, secure, ttl: 3_600 },
    );
  const admin = await token({ role: 'admin', secure: true });
  const post = (path: string, body: object) =>
    request(app).post(path).set('Authorization', `Bearer ${admin}`).send(body);

  return {
    app,
    store,
    engine,
    deps,
    token,
    act: async body => post('/api/instance-admin', body).set('X-Min-Position', String(await store.head())),
    record: async fees => post('/api/fees', { fees: fees.map(fee) }),
    async close() {
      running.abort();
      await projecting;
      await documents.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
