import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Express } from 'express';
import request, { type Response } from 'supertest';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { ledgerCheckpointStream } from '../../contracts/events/ledger-checkpoint';
import type { FeeRequest } from '../../contracts/http/billing/fees';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Role } from '../../contracts/principal';
import type { Config } from '../../infra/config/settings';
import { openEmbeddedEngines, type Engines } from '../../infra/engines/engines';
import { localIssuer } from '../../infra/program/auth/auth';
import type { Feature } from '../../infra/program/feature';
import { billing, billingDeps } from '../../infra/program/features/billing';
import { erasure } from '../../infra/program/features/erasure';
import { openSubjectKeysOf } from '../../infra/program/personal-texts';
import { ledger } from '../../infra/program/features/ledger-tree';
import { ledgerTree } from '../../infra/program/features/ledger-tree/ledger-tree';
import type { ReadWait } from '../../infra/program/requests/read-wait';
import { requestPolicies, type OpenPolicies } from '../../infra/program/requests/request-policies';
import type { ProjectionEngine } from '../../projections/engine/engine';
import { issueToken } from '../../services/auth/issue-token';
import type { BillingDeps } from '../../services/billing/deps';
import type { SubjectKeys } from '../../services/personal-texts/keys';
import type { LedgerKeys } from '../../services/ledger-tree/keys';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../program';

export interface TestInstance extends Pick<TestProgram, 'projected'> {
  readonly app: Express;
  readonly config: Config;
  readonly store: EventStore;
  readonly engine: ProjectionEngine;
  readonly documents: Documents;
  readonly engines: Engines;
  readonly deps: BillingDeps;
  readonly policies: OpenPolicies;
  /** The keys of personal texts. */
  readonly subjects: SubjectKeys;
  /** The keys that sign proofs. */
  readonly ledgerKeys: LedgerKeys;
  /** The position of the last event of the ledger. */
  ledgerHead(): Promise<number>;
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

interface InstanceOptions extends Pick<TestProgramOptions, 'folder' | 'roles'> {
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: billing as it is. */
  readonly feature?: Feature;
  /** Further ones. */
  readonly features?: readonly Feature[];
  readonly now?: () => string;
  readonly readWait?: Partial<ReadWait>;
  /** Wraps the event store, except for the checkpoints that the program signs in the background. */
  readonly wrapStore?: (store: EventStore) => EventStore;
  /** Default: embedded ones. They are closed with the instance. */
  readonly engines?: Partial<Pick<Engines, 'store' | 'documents' | 'vault'>>;
}

/** The billing of an instance: the program with these features alone. */
export async function openInstance(options: InstanceOptions = {}): Promise<TestInstance> {
  const { folder, settings, now, readWait, engines: given } = options;
  const {
    feature = billing,
    features = [],
    roles = ['api', 'projections'],
    wrapStore = each => each,
  } = options;
  let opened: Engines | undefined;
  const program = await startTestProgram({
    features: [feature, ledger, erasure, ...features],
    roles,
    settings: { AS_OF_IN_THREAD: 'false', LEDGER_CHECKPOINT_EVENTS: '10', ...settings },
    async open(config) {
      opened = withEngines(openEmbeddedEngines(config), given);
      return { ...opened, store: exceptCheckpoints(opened.store, wrapStore) };
    },
    ...(now && { clock: () => new Date(now()) }),
    ...(readWait && { readWait }),
    ...(folder !== undefined && { folder }),
  });
  const { app, deps, projected } = program;
  const { config, engine } = deps;
  const { store, documents } = opened!;

  const token: TestInstance['token'] = async ({
    role,
    issuer = 'instance',
    subject = `${role}@test`,
    secure = false,
    age = 0,
  }) =>
    issueToken(await localIssuer(config, issuer, () => Date.now() - age * 1_000), {
      subject,
      role,
      secure,
      ttl: 3_600,
    });
  const admin = await token({ role: 'admin', secure: true });
  const post = (path: string, body: object) =>
    request(app).post(path).set('Authorization', `Bearer ${admin}`).send(body);

  return {
    app,
    config,
    store,
    engine,
    documents,
    token,
    engines: deps.engines,
    deps: await billingDeps(deps),
    policies: await deps.use(requestPolicies),
    subjects: await openSubjectKeysOf(config, deps.engines),
    ledgerKeys: (await deps.use(ledgerTree)).keys,
    async ledgerHead() {
      const last = { categories: LEDGER_CATEGORIES, direction: 'backwards', limit: 1 } as const;
      for await (const [event] of store.readAll(last)) return event!.position;
      throw new Error('the ledger is empty');
    },
    projected,
    bytes: () => bytesIn(program.folder),
    act: async body => post('/api/instance-admin', body).set('X-Min-Position', String(await store.head())),
    record: async fees => post('/api/fees', { fees: fees.map(fee) }),
    close: program.stop,
  };
}

function withEngines(embedded: Engines, given: InstanceOptions['engines']): Engines {
  if (!given) return embedded;
  const close = async (): Promise<void> => {
    await Promise.all([embedded, given.store, given.documents, given.vault].map(each => each?.close()));
  };
  return { ...embedded, ...given, close };
}

function exceptCheckpoints(store: EventStore, wrap: (store: EventStore) => EventStore): EventStore {
  const wrapped = wrap(store);
  return {
    ...wrapped,
    append: (stream, ...rest) =>
      (stream === ledgerCheckpointStream('local') ? store : wrapped).append(stream, ...rest),
  };
}

const bytesIn = async (folder: string): Promise<Buffer> => {
  const files = (await readdir(folder, { withFileTypes: true })).filter(entry => entry.isFile());
  return Buffer.concat(await Promise.all(files.map(({ name }) => readFile(join(folder, name)))));
};
