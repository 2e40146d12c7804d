import { pino } from 'pino';
import { announce } from './announce';

const check = (name: string, vital: boolean, reason: string | null) => ({
  name,
  vital,
  reason,
  run: () => Promise.resolve(reason),
});

/** Of a program that looks find in the states. @returns what was logged */
async function announced(...found: (string | null)[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: line => void lines.push(JSON.parse(line)) });
  const looks = found.map(reason => [check('projections', true, reason), check('sources', false, 'refused')]);
  await announce({ url: 'http://a' }, () => Promise.resolve(looks.shift()!), logger);
  expect(looks).toEqual([]);
  return lines;
}

const up = { level: 30, url: 'http://a', msg: 'tidemark is up' };
const ready = { level: 30, msg: 'tidemark is ready' };

describe('a program that has started', () => {
  it('is up, and ready where nothing vital fails', async () => {
    expect(await announced(null)).toEqual([up, ready]);
  });

  it('is ready once every vital check passes; what it waits for is logged once', async () => {
    const checks = { projections: 'behind: fees' };
    const msg = 'not ready yet: tidemark status shows how far it is';
    expect(await announced('behind: fees', 'behind: fees', null)).toEqual([
      up,
      { level: 30, checks, msg },
      ready,
    ]);
  });
});
