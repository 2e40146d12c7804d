import type { Express } from 'express';
import { pino } from 'pino';
import { createApp, type AppOptions } from '../services/http/app';
import type { Binding } from '../services/http/binding';

/** The app of these endpoints. By default it logs nothing, trusts no proxy, and compares answers with their schemas. */
export function createTestApp(bindings: readonly Binding[], options: Partial<AppOptions> = {}): Express {
  return createApp(bindings, {
    logger: pino({ level: 'silent' }),
    trustedProxies: 0,
    checkResponses: true,
    ...options,
  });
}
