import { until } from '../until';
import { send } from './client';

const LAG = /^tidemark_projection_lag\{.*\} (\S+)$/gm;
const PROJECTING_TIMEOUT_MS = 300_000;

/** Waits until all projections are up to date. @param url of a process that has the role of projections */
export async function untilProjected(url: string): Promise<void> {
  await until(
    async () => [...String((await send(url, 'GET', '/metrics')).body).matchAll(LAG)].map(([, lag]) => lag),
    lags => lags.length > 0 && lags.every(lag => lag === '0'),
    PROJECTING_TIMEOUT_MS,
  );
}
