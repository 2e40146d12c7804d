import type { ChangedBy, Observation } from '../../contracts/observation/observation';
import { requestFirstReads } from './first-reads';

/** What is requested at the start of a program that serves these networks. */
async function requestedAtStart(
  ton: readonly ('mainnet' | 'testnet')[],
  changedBy?: ChangedBy<unknown>,
): Promise<unknown[]> {
  const requested: unknown[] = [];
  await requestFirstReads({
    observations: [{ changedBy } as Observation],
    observed: () => ({ request: async subject => void requested.push(subject) }),
    followed: { ton },
  });
  return requested;
}

test('what there is one of in a network is requested, of each network that is served', async () => {
  const pool: ChangedBy<unknown> = { accountOf: network => ({ address: '0:pool', subject: { network } }) };
  expect(await requestedAtStart(['mainnet', 'testnet'], pool)).toEqual([
    { network: 'mainnet' },
    { network: 'testnet' },
  ]);
  expect(await requestedAtStart(['testnet'], pool)).toEqual([{ network: 'testnet' }]);
});

test('what there are many of is left to who asks for it', async () => {
  expect(await requestedAtStart(['mainnet'], { field: 'wallet' })).toEqual([]);
  expect(await requestedAtStart(['mainnet'], { subjectsOf: () => [] })).toEqual([]);
  expect(await requestedAtStart(['mainnet'])).toEqual([]);
});
