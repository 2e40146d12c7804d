import express from 'express';
import request from 'supertest';
import { until } from '../../../test/until';
import { createHealth, healthRouter as routerOf, type Check, type CheckHealth } from './health';

const healthRouter = (checkHealth: CheckHealth) => routerOf(checkHealth, { forOperators: true });

const well: Check = { name: 'log', vital: true, run: async () => null };
const down: Check = { name: 'indexer', vital: false, run: async () => 'no block since 12' };
const broken: Check = {
  name: 'event_store',
  vital: true,
  run: async () => {
    throw new Error('disk I/O error');
  },
};

const ready = (...checks: Check[]) =>
  request(express().use(healthRouter(createHealth(checks)))).get('/health/ready');

/** A check that ends when the test says so, and the calls that ask for it. */
class SlowCheck {
  now = 0;
  begun = 0;
  #calls = 0;
  #end: (found: null) => void = () => undefined;
  readonly #app = express().use(
    (_request, _response, next) => {
      this.#calls += 1;
      next();
    },
    healthRouter(
      createHealth(
        [
          {
            name: 'documents',
            vital: true,
            run: () => {
              this.begun += 1;
              return new Promise(resolve => (this.#end = resolve));
            },
          },
        ],
        () => this.now,
      ),
    ),
  );

  async status(): Promise<number> {
    return (await request(this.#app).get('/health/ready')).status;
  }

  /** Returns once the call has arrived. */
  async call(): Promise<{ readonly status: Promise<number> }> {
    const before = this.#calls;
    const status = this.status();
    await until(() => this.#calls > before);
    return { status };
  }

  async statusOnceEnded(): Promise<number> {
    const { status } = await this.call();
    this.#end(null);
    return status;
  }
}

describe('health', () => {
  it('is ready when all checks pass', async () => {
    expect((await ready(well).expect(200)).body).toEqual({ status: 'ready', checks: { log: 'ok' } });
    const off: Check = { name: 'ton_testnet_sources', vital: false, off: true, run: async () => null };
    expect((await ready(well, off).expect(200)).body).toEqual({
      status: 'ready',
      checks: { log: 'ok', ton_testnet_sources: 'off' },
    });
  });

  it('stays ready as degraded when a check that is not vital fails', async () => {
    const { body } = await ready(well, down).expect(200);
    expect(body).toEqual({ status: 'degraded', checks: { log: 'ok', indexer: 'no block since 12' } });
  });

  it('is not ready when a vital check fails, and names it', async () => {
    const { body } = await ready(well, broken).expect(503);
    expect(body).toEqual({
      status: 'not_ready',
      reads: false,
      writes: false,
      checks: { log: 'ok', event_store: 'disk I/O error' },
    });
  });

  it.each(['reads', 'writes'] as const)('says that only %s are concerned', async neededBy => {
    const { body } = await ready(well, { ...broken, neededBy }).expect(503);
    expect([body.reads, body.writes]).toEqual([neededBy !== 'reads', neededBy !== 'writes']);
  });

  it('answers even if a check never ends', async () => {
    const hung: Check = { name: 'documents', vital: true, run: () => new Promise<never>(() => undefined) };
    const { body } = await ready(hung).expect(503);
    expect(body.checks).toEqual({ documents: 'does not answer' });
  });

  it('looks once for all calls of a second, and shows a lost engine after it', async () => {
    let now = 0;
    let looks = 0;
    let isLost = false;
    const engine: Check = {
      name: 'log',
      vital: true,
      run: async () => {
        looks += 1;
        return isLost ? 'connection lost' : null;
      },
    };
    const app = express().use(healthRouter(createHealth([engine], () => now)));
    const status = async () => (await request(app).get('/health/ready')).status;
    expect(new Set(await Promise.all(Array.from({ length: 50 }, status)))).toEqual(new Set([200]));
    isLost = true;
    now = 999;
    expect([await status(), looks]).toEqual([200, 1]);
    now = 1_000;
    expect([await status(), looks]).toEqual([503, 2]);
    isLost = false;
    now = 2_000;
    expect([await status(), looks]).toEqual([200, 3]);
  });

  it('joins calls to a look that lasts longer than a second', async () => {
    const slow = new SlowCheck();
    const first = await slow.call();
    slow.now = 3_000;
    expect(await slow.statusOnceEnded()).toBe(200);
    expect(await first.status).toBe(200);
    expect(slow.begun).toBe(1);
  });

  it('joins the next look to a check that has not ended in time, until its answer counts as lost', async () => {
    const slow = new SlowCheck();
    expect(await slow.status()).toBe(503);
    slow.now = 10_000;
    expect([await slow.statusOnceEnded(), slow.begun]).toEqual([200, 1]);
    slow.now = 20_000;
    expect([await slow.status(), slow.begun]).toEqual([503, 2]);
    slow.now = 80_000;
    expect([await slow.statusOnceEnded(), slow.begun]).toEqual([200, 3]);
  });

  it('is live even if a vital check fails', async () => {
    await request(express().use(healthRouter(createHealth([broken]))))
      .get('/health/live')
      .expect(200);
  });
});

it('tells everybody its state alone: reasons name hosts', async () => {
  const app = express().use(routerOf(createHealth([well, broken]), { forOperators: false }));
  expect((await request(app).get('/health/ready').expect(503)).body).toEqual({
    status: 'not_ready',
    reads: false,
    writes: false,
  });
});
