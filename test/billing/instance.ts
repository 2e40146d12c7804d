import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { pino } from 'pino';
import request, { type Response } from 'supertest';
import { createCalendar } from '../../contracts/time/calendar';
import type { FeeRequest } from '../../contracts/http/billing/fees';
import type { Role } from '../../contracts/principal';
import type { Documents } from '../../contracts/ports/documents';
import { openAsOf } from '../../infra/program/features/billing/as-of/as-of';
import { inProcessBuilder } from '../../infra/program/features/billing/as-of/snapshot-builder';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import type { Log } from '../../contracts/ports/log';
import { BILLING_PROJECTIONS, BILLING_VERSIONS } from '../../projections/billing/billing-projections';
import { createProjectionEngine, type ProjectionEngine } from '../../projections/engine/engine';
import { createAuthenticator } from '../../services/auth/authenticator';
import { issueToken } from '../../services/auth/issue-token';
import { localKey, publicKeys } from '../../services/auth/local-keys';
import type { BillingDeps } from '../../services/billing/deps';
import { billingRoutes } from '../../services/billing/routes';
import { openSubjectKeys, type SubjectKeys } from '../../services/erasure/keys';
import { createPersonalTexts } from '../../services/erasure/personal-texts';
import { createAuditTrail, type AuditTrail } from '../../services/audit/trail';
import { noAudit } from '../../services/audit/audit';
import { createHandle } from '../../services/handle';
import { createApp } from '../../services/http/app';
import type { RequestPolicies } from '../../services/http/mount';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import { createIdempotent, idempotency } from '../../services/idempotency/idempotent';
import { createCheckpoints } from '../../services/ledger-tree/checkpoints';
import { makeLedgerKeys, openLedgerKeys, type LedgerKeys } from '../../services/ledger-tree/keys';
import { createProver } from '../../services/ledger-tree/prover';
import { createLedgerTreeReader } from '../../services/ledger-tree/reader';
import { runLedgerTreeBuilder } from '../../services/ledger-tree/builder';

export interface TestInstance {
  readonly app: Express;
  readonly store: EventStore;
  readonly engine: ProjectionEngine;
  readonly documents: Documents;
  readonly deps: BillingDeps;
  readonly policies: RequestPolicies;
  /** The keys of personal texts. */
  readonly subjects: SubjectKeys;
  readonly trail: AuditTrail;
  /** The keys that sign proofs. */
  readonly ledgerKeys: LedgerKeys;
  /** The content of all files. */
  bytes(): Promise<Buffer>;
  token(who: {
    role: Role;
    issuer?: 'instance' | 'platform';
    subject?: string;
    secure?: boolean;
    age?: number;
  }): Promise<string>;
  /** As an admin in a secure session; reads wait for all that was written before. */
  act(body: object): Promise<Response>;
  record(fees: readonly FeeInput[]): Promise<Response>;
  close(): Promise<void>;
}

export type FeeInput = Partial<
  Record<keyof Extract<FeeRequest, { fee_type: string }>, string | undefined>
> & { id: string };

/** A row as clients send it, with defaults for all other fields. */
export function fee(row: FeeInput): FeeInput {
  return row.action && row.action !== 'record'
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
}

const silent = pino({ level: 'silent' });
const NAMES = { instance: 'urn:instance', platform: 'urn:platform' };

/** The billing of an instance, on embedded engines in a new folder. */
export async function openInstance(
  options: {
    readonly timeZone?: string;
    readonly voidReasonRequired?: boolean;
    /** Default: none. */
    readonly limits?: RateLimits;
    /** Default: nothing is audited. */
    readonly audited?: boolean;
    /** After which a call without a response may be started again. */
    readonly takeOverAfterMs?: number;
    readonly trustedProxies?: number;
    readonly now?: () => string;
    /** Milliseconds that a read with `asOf` waits for its snapshot. */
    readonly asOfTimeoutMs?: number;
    /** Wraps the event store for the services. */
    readonly wrapStore?: (store: EventStore) => EventStore;
    /** Maximum bytes of an invoice's lines in one event. */
    readonly partBytes?: number;
    /** Default: embedded ones. They are closed with the instance. */
    readonly engines?: { readonly store: EventStore; readonly documents: Documents };
  } = {},
): Promise<TestInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-billing-'));
  const { store, documents } = options.engines ?? {
    store: openSqliteEventStore({ path: join(folder, 'events.db') }),
    documents: openSqliteDocuments({ path: join(folder, 'documents.db') }),
  };
  const vault = openSqliteDocuments({ path: join(folder, 'vault.db'), secureDelete: true });
  const subjects = await openSubjectKeys(vault, randomBytes(32));
  const running = new AbortController();
  const engine = createProjectionEngine({
    projections: BILLING_PROJECTIONS,
    documents,
    store,
    log: {} as Log,
    clock: () => new Date(),
    logger: silent,
    signal: running.signal,
  });
  const projecting = engine.run(running.signal);

  const seen = options.wrapStore?.(store) ?? store;
  const asOf = await openAsOf({
    dataDir: folder,
    store: seen,
    projections: BILLING_PROJECTIONS,
    builder: inProcessBuilder({ store: seen, projections: BILLING_PROJECTIONS }),
    limits: { files: 8, bytes: 2 ** 30 },
    timeoutMs: options.asOfTimeoutMs ?? 60_000,
    logger: silent,
    signal: running.signal,
  });
  const texts = createPersonalTexts(subjects);
  const keysFile = join(folder, 'keys', 'ledger.json');
  await makeLedgerKeys(keysFile);
  const keys = openLedgerKeys(keysFile);
  const reader = createLedgerTreeReader(documents);
  const checkpoints = createCheckpoints({ store, instanceId: 'local', keys });
  const treeBuilder = runLedgerTreeBuilder(
    {
      store,
      documents,
      reader,
      checkpoints,
      logger: silent,
      now: () => new Date(),
      checkpointEvery: { events: 10, milliseconds: 60_000 },
    },
    running.signal,
  );
  const now = options.now ?? (() => new Date().toISOString());
  const handle = createHandle({ store: seen });
  const trail = createAuditTrail({ store: seen, texts, instanceId: 'local', now, logger: silent });
  const idempotent = createIdempotent({
    handle,
    texts,
    now,
    takeOverAfterMs: options.takeOverAfterMs ?? 30_000,
  });
  const policies: RequestPolicies = {
    secureSession: { maxAge: 900, acrValues: ['aal2'] },
    limits: options.limits ?? NO_LIMITS,
    audit: options.audited ? trail.audit : noAudit,
    idempotency: idempotency(idempotent, { instanceId: 'local', now }),
  };
  const deps: BillingDeps = {
    store: seen,
    handle,
    views: engine.views,
    asOf,
    prover: createProver({
      reader,
      checkpoints,
      keys,
      instanceId: 'local',
      timeZone: options.timeZone ?? 'UTC',
      projections: BILLING_VERSIONS,
      timeoutMs: 60_000,
    }),
    texts,
    calendar: createCalendar(options.timeZone ?? 'UTC'),
    currency: 'USD',
    currencyScale: 2,
    instanceId: 'local',
    newId: randomUUID,
    ...(options.partBytes !== undefined && { partBytes: options.partBytes }),
    now,
    waitMs: 60_000,
    voidReasonRequired: options.voidReasonRequired ?? false,
  };

  const issuers = {
    instance: await localKey(folder, 'instance'),
    platform: await localKey(folder, 'platform'),
  };
  const verified = (kind: 'instance' | 'platform') => ({
    issuer: NAMES[kind],
    audience: 'tidemark',
    algorithms: ['EdDSA'],
    keys: { kind: 'keys' as const, keys: publicKeys(issuers[kind]) },
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
    trustedProxies: options.trustedProxies ?? 0,
    checkResponses: true,
    authenticate: { bearer: authenticate },
    ...policies,
  });

  const token: TestInstance['token'] = ({
    role,
    issuer: kind = 'instance',
    subject = `${role}@test`,
    secure = false,
    age = 0,
  }) =>
    issueToken(
      {
        kind,
        issuer: NAMES[kind],
        audience: 'tidemark',
        instanceId: 'local',
        key: issuers[kind],
        acr: 'aal2',
        now: () => Date.now() - age * 1_000,
      },
      { subject, role, secure, ttl: 3_600 },
    );
  const admin = await token({ role: 'admin', secure: true });
  const post = (path: string, body: object) =>
    request(app).post(path).set('Authorization', `Bearer ${admin}`).send(body);

  return {
    app,
    store,
    engine,
    documents,
    deps,
    policies,
    subjects,
    trail,
    ledgerKeys: keys,
    bytes: () => bytesIn(folder),
    token,
    act: async body => post('/api/instance-admin', body).set('X-Min-Position', String(await store.head())),
    record: async fees => post('/api/fees', { fees: fees.map(fee) }),
    async close() {
      running.abort();
      await Promise.all([projecting, treeBuilder.done]);
      await asOf.close();
      await documents.close();
      await vault.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

const bytesIn = async (folder: string): Promise<Buffer> => {
  const files = (await readdir(folder, { withFileTypes: true })).filter(entry => entry.isFile());
  return Buffer.concat(await Promise.all(files.map(({ name }) => readFile(join(folder, name)))));
};
