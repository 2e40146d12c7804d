import { clientErrorCommands } from './client-errors/commands';
import { clientErrorMetrics } from './client-errors/metrics';
import { CLIENT_ERRORS } from '../../../contracts/http/client-errors';
import { randomUUID } from 'node:crypto';
import { createErrorCounter, keepFlushing, type ErrorCounter } from '../../../services/client-errors/counter';
import { keepExpiringErrors } from '../../../services/client-errors/expire';
import { clientErrorRoutes } from '../../../services/client-errors/routes';
import { openClientErrors, type ClientErrorStore } from '../../../services/client-errors/store';
import type { Feature, Resource, Worker } from '../feature';
import { callerSource } from '../requests/caller-source';
import { jobHandlers } from '../roles/jobs';
import { count } from '../../config/settings';

const settings = {
  MAX_CLIENT_ERRORS: count.default(10_000),
  CLIENT_ERROR_DAYS: count.min(1).max(365).default(30),
  CLIENT_ERROR_FLUSH_SECONDS: count.min(1).max(3_600).default(60),
};
const DAY_MS = 86_400_000;

const storeResource: Resource<ClientErrorStore> = {
  open: ({ config, engines }) => openClientErrors(engines.vault, config.of(settings).MAX_CLIENT_ERRORS),
};

interface FlushedCounter extends ErrorCounter {
  close(): Promise<void>;
}

const counterResource: Resource<FlushedCounter> = {
  async open({ config, use, clock, logger }) {
    const counter = createErrorCounter({ store: await use(storeResource), process: randomUUID(), clock });
    const closing = new AbortController();
    const intervalMs = config.of(settings).CLIENT_ERROR_FLUSH_SECONDS * 1_000;
    const flushing = keepFlushing(counter, { intervalMs, logger }, closing.signal);
    return {
      ...counter,
      close: () => {
        closing.abort();
        return flushing;
      },
    };
  },
  close: counter => counter.close(),
};

const expiry = jobHandlers('client_errors', ({ config, use, clock }) => [
  async signal =>
    keepExpiringErrors(
      { store: await use(storeResource), clock, retentionMs: config.of(settings).CLIENT_ERROR_DAYS * DAY_MS },
      signal,
    ),
]);

/** Errors of wallets, counted without what is secret or personal in them. */
export const clientErrors: Feature = {
  name: 'client-errors',
  commands: clientErrorCommands,
  settings,
  renamedSettings: { CLIENT_ERROR_LIMIT: 'MAX_CLIENT_ERRORS' },
  quotas: [CLIENT_ERRORS],
  bounds: [
    {
      of: 'different errors of wallets that are stored',
      owner: 'the operator',
      max: '`MAX_CLIENT_ERRORS`, each for `CLIENT_ERROR_DAYS`',
      share: 'in a day, a quarter of what the others leave',
      beyond: 'further ones are counted together, as one',
      note: 'Up to 500 more wait in a process to be stored, with the same shares.',
      attack: {
        file: 'services/client-errors/store.test.ts',
        test: 'who reports errors of its own making leaves places for those of others, stored and in memory',
      },
    },
    {
      of: 'reports of one error that are stored',
      owner: 'who was the first to report it',
      max: 'the first and the last, each for `CLIENT_ERROR_DAYS`',
      share: 'the last one',
      beyond: 'counted',
      attack: {
        file: 'services/client-errors/store.test.ts',
        test: 'who reports an error of somebody else replaces the last report of it, and not the first, until that is too old',
      },
    },
  ],
  metrics: clientErrorMetrics,
  routes: async ({ use, metrics }) =>
    clientErrorRoutes({
      counter: await use(counterResource),
      sourceOf: await use(callerSource),
      onReported: outcome => metrics.of(clientErrorMetrics).reported.inc({ outcome }),
    }),
  workers: [
    {
      ...expiry,
      start: async deps => ({
        ...(await expiry.start(deps)),
        refresh: async () =>
          deps.metrics.of(clientErrorMetrics).stored.set(await (await deps.use(storeResource)).size()),
      }),
    } satisfies Worker,
  ],
};
