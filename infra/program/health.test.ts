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
  it('is ready when all is well', async () => {
    expect((await ready(well).expect(200)).body).toEqual({ status: 'ready', checks: { log: 'ok' } });
  });

  it('stays ready, and says what is wrong, when something is wrong that reads can do without', async () => {
    const { body } = await ready(well, down).expect(200);
    expect(body).toEqual({ status: 'degraded', checks: { log: 'ok', indexer: 'no block since 12' } });
  });

  it('is not ready when something vital fails, and names it', async () => {
    const { body } = await ready(well, broken).expect(503);
    expect(body).toEqual({ status: 'not_ready', checks: { log: 'ok', event_store: 'disk I/O error' } });
  });

  it('answers although something it looks at does not', async () => {
    const hung: Check = { name: 'documents', vital: true, run: () => new Promise<never>(() => undefined) };
    const { body } = await ready(hung).expect(503);
    expect(body.checks).toEqual({ documents: 'does not answer' });
  });

  it('is live as long as it answers', async () => {
    await request(express().use(healthRouter([broken])))
      .get('/health/live')
      .expect(200);
  });
});
