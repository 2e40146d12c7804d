import { pino } from 'pino';
import { accessesOf } from '../../contracts/http/endpoint';
import { ENDPOINTS } from '../../test/endpoints';
import type { ProgramDeps } from './feature';
import { FEATURES } from './features';
import { createMetrics } from './metrics/metrics';
import { rateLimits } from './requests/rate-limits';
import { readConfig } from './settings/config';

describe('quotas', () => {
  const open = async (env: Record<string, string> = {}) =>
    rateLimits.open({
      config: readConfig(env),
      features: FEATURES,
      logger: pino({ level: 'silent' }),
    } as unknown as ProgramDeps);

  it('have names of their own', () => {
    const names = FEATURES.quotas.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('that endpoints name are those of a feature', () => {
    const named = ENDPOINTS.flatMap(accessesOf).flatMap(({ rateLimit }) => rateLimit ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(quota => !FEATURES.quotas.includes(quota))).toEqual([]);
  });

  it('are set by RATE_LIMIT_<NAME>, and lifted by 0', async () => {
    const limits = await open({ RATE_LIMIT_CLIENT_ERRORS: '7', RATE_LIMIT_ADDRESS: '0' });
    expect(await limits.consume('client_errors', 'a')).toMatchObject({ quota: 7, remaining: 6 });
    expect(await limits.consume('address', 'a')).toBeNull();
    expect(await limits.consume('failures', 'a')).toMatchObject({ quota: 30 });
  });

  it('that no feature declares limit nothing, which is refused', async () => {
    await expect((await open()).consume('tea_breaks', 'a')).rejects.toThrow(
      'tea_breaks is not among the quotas of a feature',
    );
  });
});

describe('metrics of features', () => {
  it('are registered at the start, each once', async () => {
    const names = (await createMetrics(FEATURES.metrics).registry.getMetricsAsJSON()).map(({ name }) => name);
    for (const name of ['tidemark_push_devices', 'tidemark_exchange_polls_total'])
      expect(names.filter(known => known === name)).toEqual([name]);
  });

  it('that no feature declares are refused', () => {
    expect(() => createMetrics(FEATURES.metrics).of(() => ({}))).toThrow('not among those of a feature');
  });
});
