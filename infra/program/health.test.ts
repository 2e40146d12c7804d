import express from 'express';
import request from 'supertest';
import { healthRouter, type Check } from './health';

const well: Check = { name: 'log', vital: true, run: async () => null };
const down: Check = { name: 'indexer', vital: false, run: async () => 'no block since 12' };
const broken: Check = {
  name: 'event_store',
  vital: true,
  run: async () => {
    throw new Error('disk I/O error');
  },
};

const ready = (...checks: Check[]) => request(express().use(healthRouter(checks))).get('/health/ready');

describe('health', () => {
  it('is ready when all checks pass', async () => {
    expect((await ready(well).expect(200)).body).toEqual({ status: 'ready', checks: { log: 'ok' } });
  });

  it('stays ready as degraded when a check that is not vital fails', async () => {
    const { body } = await ready(well, down).expect(200);
    expect(body).toEqual({ status: 'degraded', checks: { log: 'ok', indexer: 'no block since 12' } });
  });

  it('is not ready when a vital check fails, and names it', async () => {
    const { body } = await ready(well, broken).expect(503);
    expect(body).toEqual({ status: 'not_ready', checks: { log: 'ok', event_store: 'disk I/O error' } });
  });

  it('answers even if a check never ends', async () => {
    const hung: Check = { name: 'documents', vital: true, run: () => new Promise<never>(() => undefined) };
    const { body } = await ready(hung).expect(503);
    expect(body.checks).toEqual({ documents: 'does not answer' });
  });

  it('is live even if a vital check fails', async () => {
    await request(express().use(healthRouter([broken])))
      .get('/health/live')
      .expect(200);
  });
});
