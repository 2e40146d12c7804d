import type { TonElectionsObserved } from '../../contracts/chain/ton-elections';
import { latestElectionsApy } from '../../contracts/http/ton/elections';
import type { AnyCall } from '../http/call';
import { electionsRoutes, type ElectionsDeps } from './routes';

const ELECTION = { id: 100, unfreezeAt: 300, stakeHeld: 50, totalStake: '0', bonuses: '0' };

/**
 * @param data a double of what the elector was observed to say
 * @param stored the elections that were read after their rounds
 */
async function apyOf(
  data: Partial<TonElectionsObserved>,
  stored: readonly (typeof ELECTION)[] = [],
): Promise<unknown> {
  const elections = {
    read: async () => ({
      height: 8,
      data: { elections: [], openElection: null, roundStart: 200, roundSeconds: 60, ...data },
    }),
  };
  const views = { cached: async () => stored.map(data => ({ height: 3, data })) };
  const routes = electionsRoutes({ elections, election: {}, views } as unknown as ElectionsDeps);
  const { handle } = routes.find(({ endpoint }) => endpoint === latestElectionsApy)!;
  return handle({ params: { network: 'testnet' } } as unknown as AnyCall);
}

it.each([
  ['before the first round of a network has ended', [{ ...ELECTION, id: 200, totalStake: '5' }]],
  ['when nobody has staked in the last round', [ELECTION]],
  ['while the elector holds no stakes', []],
])('is 0 of no election %s, which ends the requests of a wallet', async (_when, elections) => {
  expect(await apyOf({ elections })).toMatchObject({ apy: '0.0000', electionId: null, of: null });
});

it('is that of the last round that has ended', async () => {
  const elections = [{ ...ELECTION, totalStake: '1000', bonuses: '1' }];
  expect(await apyOf({ elections })).toMatchObject({
    apy: expect.not.stringMatching(/^0\./),
    electionId: 100,
    of: { seqno: 8, totalStake: '1000', bonuses: '1', roundSeconds: 60 },
  });
});

it('is that of the last round, too, while the elector holds none but the present one', async () => {
  const last = { ...ELECTION, totalStake: '1000', bonuses: '1' };
  const stored = [{ ...last, id: 200, bonuses: '9' }, last, { ...last, id: 50, bonuses: '9' }];
  expect(await apyOf({ elections: [{ ...ELECTION, id: 200 }] }, stored)).toMatchObject({
    electionId: 100,
    of: { seqno: 3, bonuses: '1' },
  });
});
