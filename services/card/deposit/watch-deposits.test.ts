import { EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import { Problem } from '../../../contracts/problem/problem';
import { watchDeposits } from './watch-deposits';

const deposit = `ton:mainnet:0:${'ab'.repeat(32)}`;
const reader = { ip: '127.0.0.1', appendHeader: () => undefined };

it.each([
  [
    'a refusal, which a holder brings about as often as it likes',
    new Problem('rate_limited', 'Too many.'),
    0,
  ],
  ['an outage', new EngineUnavailable('event store', 'no server'), 0],
  ['a fault', new Error('a bug'), 1],
])(
  'an account that is not watched because of %s keeps nobody from reading it',
  async (_what, error, lines) => {
    const warn = jest.fn();
    const watch = () => Promise.reject(error);
    await watchDeposits(
      { watch, logger: { debug: () => undefined, warn } },
      [{ deposit }, { deposit: null }],
      reader,
    );
    expect(warn).toHaveBeenCalledTimes(lines);
  },
);
