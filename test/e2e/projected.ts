import { until } from '../until';
import { send } from './client';

const LAG = /^tidemark_projection_lag\{projection="(.+)"\} (\S+)$/gm;
const PROJECTING_TIMEOUT_MS = 300_000;

/**
 * Waits until each projection has been up to date, so that what was known at the call is folded: new transactions may keep
 * coming. @param operatorsUrl of a process that has the role of projections
 */
export async function untilProjected(operatorsUrl: string): Promise<void> {
  const folded = new Set<string>();
  const stillBehind = async (): Promise<string[]> => {
    const lags = [...String((await send(operatorsUrl, 'GET', '/metrics')).body).matchAll(LAG)];
    if (lags.length === 0) throw new Error(`${operatorsUrl} tells of no projection`);
    for (const [, projection, lag] of lags) if (lag === '0') folded.add(projection!);
    return lags.map(([, projection]) => projection!).filter(projection => !folded.has(projection));
  };
  await until(stillBehind, behind => behind.length === 0, PROJECTING_TIMEOUT_MS);
}
