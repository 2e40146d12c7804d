import fc from 'fast-check';
import { isRefusal } from '../../../contracts/decider';
import { CARD_ORDERING } from '../../../test/card/ordering';
import { runs } from '../../../test/random';
import { cardStatus, type CardState } from '../../../projections/card/card-state';
import { cardKind, type CardCommand } from './decider';

const { initial, evolve, decide } = cardKind.decider;
const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 12, 0, second)).toISOString();
const metadata = { now: at(0), actor: 'card issuer' };

/** A card that is active. */
const ACTIVE: readonly CardCommand[] = [
  {
    type: 'order',
    card: { ...CARD_ORDERING, fee: '5' },
    all: 0,
    open: 0,
    metadata,
  },
  { type: 'pay', metadata },
  { type: 'recordIssued', issuerCardId: 'i-1', lastFourDigits: '4242', metadata },
];

/** What the issuer says of itself, each at a time of its own. */
const messages = fc
  .array(fc.constantFrom('recordFrozen', 'recordUnfrozen', 'askVerification', 'recordVerified'), {
    maxLength: 8,
  })
  .map(types =>
    types.map((type, index) => {
      const said = { occurredAt: at(index + 1), metadata };
      if (type === 'askVerification') return { type, of: 'client', ...said } as const;
      if (type === 'recordVerified') return { type, ...said };
      return { type, by: 'issuer', reason: '', ...said } as const;
    }),
  );

const statusAfter = (commands: readonly CardCommand[]) =>
  cardStatus(
    commands.reduce<CardState | null>((card, command) => {
      const decision = decide(card, command);
      if (isRefusal(decision)) throw new Error(decision.detail);
      return decision.reduce(evolve, card);
    }, initial())!,
  );

it('any order of what the issuer says, and any repetition, ends the same: by what it said last', () => {
  const anyOrder = messages.chain(said =>
    fc.record({
      said: fc.constant(said),
      sent: fc.shuffledSubarray([...said, ...said, ...said], { minLength: 3 * said.length }),
    }),
  );
  fc.assert(
    fc.property(anyOrder, ({ said, sent }) => {
      const isLast = (on: string, off: string) =>
        said.findLast(({ type }) => type === on || type === off)?.type === on;
      const isFrozen = isLast('recordFrozen', 'recordUnfrozen');
      const isChecked = isLast('askVerification', 'recordVerified');
      const status = isFrozen ? 'FROZEN' : isChecked ? 'CLIENT_VERIFICATION' : 'ACTIVE';
      expect(statusAfter([...ACTIVE, ...said] as readonly CardCommand[])).toBe(status);
      expect(statusAfter([...ACTIVE, ...sent] as readonly CardCommand[])).toBe(status);
    }),
    runs(200),
  );
});
