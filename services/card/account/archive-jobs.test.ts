import { history } from '../../../test/contracts/builders';
import { after, amountsOf, command, opened, type CardAccountCommand } from '../../../test/card/account';
import { cardArchives } from './archive-jobs';

const authorised = (n: number, rest: object = {}) =>
  command('recordAuthorised', { transactionId: `p-${n}`, amounts: amountsOf(0), ...rest });
const jobsOf = async (...commands: readonly CardAccountCommand[]) => {
  const recorded = history(
    ...after(opened(), ...commands).events.map(event => ['cardAccount-1', event] as const),
  );
  return (await Promise.all(recorded.map(each => cardArchives.jobs(each)))).flat();
};

it('old transactions are archived when the state of their account is recorded', async () => {
  const yesterday = { now: '2026-11-22T11:59:59.000Z', actor: 'issuer' };
  const many = Array.from({ length: 31 }, (_, n) => authorised(n));
  expect(await jobsOf(...many)).toHaveLength(0);
  expect(await jobsOf(authorised(31, { metadata: yesterday }), ...many)).toHaveLength(1);
});

it('an account that has too many transactions to buy anything is archived, also where its state is too large to be recorded', async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => authorised(n));
  const next = command('authorise', { transactionId: 'next', isIncrement: false, blocked: null });
  expect(await jobsOf(...many, next)).toHaveLength(1);
});
