import fc from 'fast-check';
import { after, amountsOf, command, opened, toppedUp, type Run } from '../../../test/card/account';
import { runs } from '../../../test/random';
import { availableOf } from './balance';
import type { CardAccountCommand } from './command';
import { convert } from './conversion';
import { holdOf, postedOf } from './transaction';

const RATES = [
  { units: '1', per: '1' },
  { units: '4000001', per: '3' },
  { units: '7', per: '1000' },
];
const PURCHASES = ['purchase-1', 'purchase-2', 'purchase-3'];

/** What an issuer may say of three purchases over two days, each message once. */
const message = fc.record({
  kind: fc.constantFrom(
    ...(['recordIncremented', 'recordReversed', 'recordCleared', 'recordCleared', 'recordRefunded'] as const),
    ...(['recordVoided', 'recordExpired', 'recordChargedBack', 'recordChargebackReversed'] as const),
  ),
  transactionId: fc.constantFrom(...PURCHASES),
  fiat: fc.integer({ min: 0, max: 5_000 }),
  rate: fc.constantFrom(...RATES),
  day: fc.constantFrom('23', '24'),
  final: fc.integer({ min: 0, max: 3 }).map(n => n === 0),
});
const authorisation = fc.record({
  fiat: fc.integer({ min: 0, max: 5_000 }),
  rate: fc.constantFrom(...RATES),
  day: fc.constantFrom('23', '24'),
});
type Message = typeof message extends fc.Arbitrary<infer T> ? T : never;

function commandOf({ kind, transactionId, fiat, rate, day, final }: Message, index: number) {
  return command(kind, {
    transactionId,
    entryId: `message-${index}`,
    amounts: amountsOf(fiat, rate),
    occurredAt: `2026-11-${day}T12:00:00.000Z`,
    ...(kind === 'recordCleared' && {
      ofAuthorisation: String(fiat),
      final,
      forced: false,
      interchange: '7',
    }),
    ...(kind === 'recordRefunded' || kind === 'recordChargedBack' ? { full: final } : {}),
  });
}

const messages: fc.Arbitrary<readonly CardAccountCommand[]> = fc
  .tuple(
    fc.array(message, { maxLength: 50 }),
    fc.array(authorisation, { minLength: PURCHASES.length, maxLength: PURCHASES.length }),
  )
  .map(([some, authorisations]) => [
    ...authorisations.map(({ fiat, rate, day }, index) =>
      command('recordAuthorised', {
        transactionId: PURCHASES[index],
        entryId: `authorised-${index}`,
        amounts: amountsOf(fiat, rate),
        occurredAt: `2026-11-${day}T12:00:00.000Z`,
      }),
    ),
    ...some.map(commandOf),
  ]);

const shuffled = messages.chain(original =>
  fc.record({
    original: fc.constant(original),
    // Some arrive twice, and everything in another order.
    other: fc
      .subarray([...original])
      .chain(twice =>
        fc.shuffledSubarray([...original, ...twice], { minLength: original.length + twice.length }),
      ),
  }),
);

const given = (...commands: readonly CardAccountCommand[]) => after(opened(), toppedUp(10_000), ...commands);

/** What the account comes to: its balance, and the entries of its transactions, which are sets. */
function endOf({ state, events }: Run) {
  const transactions = Object.entries(state.transactions).map(([id, { entries }]) => [
    id,
    entries.map(entry => JSON.stringify(entry)).sort(),
  ]);
  return { balance: state.balance, transactions: transactions.sort(), fees: feesOf(events) };
}

/** What the instance has earned, without what has fallen away. */
function feesOf(events: Run['events']): string[] {
  const reversed = events.flatMap(({ data }) =>
    'reversedFees' in data ? data.reversedFees.map(({ entryId }) => entryId) : [],
  );
  return events
    .flatMap(({ data }) => ('earned' in data && data.earned ? [data.earned.entryId] : []))
    .filter(id => !reversed.includes(id))
    .sort();
}

it('any order of the messages, and any repetition, ends the same', () => {
  fc.assert(
    fc.property(shuffled, ({ original, other }) => {
      expect(endOf(given(...other))).toEqual(endOf(given(...original)));
    }),
    runs(300),
  );
});

it('what the issuer says has happened is never refused, whatever the state of the account', () => {
  const moves = fc.constantFrom(
    ...(['ACTIVE', 'SUSPENDED', 'CLOSED', 'MANUALLY_CLOSED'] as const).map(to =>
      command('changeState', { to, by: 'operator' }),
    ),
  );
  fc.assert(
    fc.property(messages, fc.array(fc.tuple(fc.nat(60), moves), { maxLength: 5 }), (original, changes) => {
      const commands = [...original];
      for (const [at, change] of changes) commands.splice(at, 0, change);
      const { events, refusals } = given(...commands);
      expect(refusals.filter(({ code }) => !code.startsWith('card_account_'))).toEqual([]);
      const recorded = new Set(events.flatMap(({ data }) => ('entry' in data ? [data.entry.id] : [])));
      expect(recorded.size).toBe(original.length + 1);
    }),
    runs(200),
  );
});

it('the balance is what the postings explain, and what is held is the sum of the holds', () => {
  fc.assert(
    fc.property(messages, original => {
      const { state, events } = given(...original);
      const postings = events.flatMap(({ data }) => ('entry' in data ? [BigInt(data.entry.posted)] : []));
      const transactions = Object.values(state.transactions).map(({ entries }) => entries);
      const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n);
      expect(BigInt(state.balance.posted)).toBe(sum(postings));
      expect(BigInt(state.balance.posted)).toBe(sum(transactions.map(postedOf)));
      expect(BigInt(state.balance.held)).toBe(sum(transactions.map(holdOf)));
      expect(availableOf(state.balance)).toBe(BigInt(state.balance.posted) - sum(transactions.map(holdOf)));
    }),
    runs(200),
  );
});

it('no approval takes more than is there', () => {
  const request = fc.record({
    index: fc.nat(60),
    fiat: fc.integer({ min: 0, max: 9_000 }),
    isIncrement: fc.boolean(),
    transactionId: fc.constantFrom(...PURCHASES, 'purchase-4'),
  });
  fc.assert(
    fc.property(messages, fc.array(request, { maxLength: 20 }), (original, requests) => {
      const commands = [...original];
      requests.forEach(({ index, fiat, ...rest }, n) =>
        commands.splice(
          index,
          0,
          command('authorise', { ...rest, entryId: `request-${n}`, blocked: null, amounts: amountsOf(fiat) }),
        ),
      );
      for (const { type, data } of given(...commands).events) {
        if (type !== 'CardPurchaseAuthorised' && type !== 'CardPurchaseIncremented') continue;
        if (data.entry.id.startsWith('request-')) expect(availableOf(data.balance) >= 0n).toBe(true);
      }
    }),
    runs(200),
  );
});

it('archiving at any moment changes nothing', () => {
  fc.assert(
    fc.property(messages, fc.nat(50), (original, at) => {
      const before = given(...original.slice(0, at)).state;
      const changedAt = Object.fromEntries(
        Object.entries(before.transactions).map(([id, transaction]) => [id, transaction.changedAt]),
      );
      const late = original.slice(at).map(each => {
        const { transactionId } = each as unknown as { transactionId: string };
        return { ...each, archived: before.transactions[transactionId]?.entries ?? [] };
      });
      const archived = given(...original.slice(0, at), command('archive', { changedAt }), ...late);
      expect(archived.state.balance).toEqual(given(...original).state.balance);
    }),
    runs(200),
  );
});

it('a conversion loses nothing, and is the nearest', () => {
  const positive = fc.bigInt({ min: 1n, max: 10n ** 24n });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), positive, positive, (fiat, units, per) => {
      const { units: converted, rounding } = convert(fiat, { units: units.toString(), per: per.toString() });
      expect(converted * per + rounding).toBe(fiat * units);
      expect(2n * (rounding < 0n ? -rounding : rounding) <= per).toBe(true);
    }),
    runs(500),
  );
});
