import { commitmentOf } from '../../contracts/text/personal-text';
import { VerificationFailed } from './outcome';
import { checkPersonalTexts } from './personal-texts';
import { NO_COMMITMENT, UNKNOWN_FORM } from './report-plan';

const opening = Buffer.alloc(32, 1);
const commitment = commitmentOf(opening, 'paid twice');
const openings = { [commitment]: opening.toString('base64url') };
const rows = (...members: [reference: string | null, referenceErased: boolean][]) => ({
  rows: members.map(([reference, referenceErased]) => ({ reference, referenceErased })),
});
const computed = rows([commitment, false], [NO_COMMITMENT, false], [null, false]);

it('distinguishes proven texts from those to which no event commits, and from erased ones', () => {
  const shown = rows(['paid twice', false], ['of old', false], [null, false]);
  expect(checkPersonalTexts(shown, computed, { openings })).toEqual({
    unproven: ['/rows/1/reference'],
    erased: [],
  });
  const erased = rows([null, true], [null, true], [null, false]);
  expect(checkPersonalTexts(erased, computed, {})).toEqual({
    unproven: [],
    erased: ['/rows/0/reference', '/rows/1/reference'],
  });
});

it('refuses an old text where none was recorded, one that is missing, and an opening of no text', () => {
  for (const forged of [
    rows([null, true], [null, true], ['of old', false]),
    rows([null, true], [null, false], [null, false]),
  ])
    expect(() => checkPersonalTexts(forged, computed, {})).toThrow(VerificationFailed);
  const calledErased = rows(['paid twice', true], [null, true], [null, false]);
  expect(() => checkPersonalTexts(calledErased, computed, { openings })).toThrow('is not a text');
  const erased = rows([null, true], [null, true], [null, false]);
  expect(() => checkPersonalTexts(erased, computed, { openings })).toThrow('not in the answer');
});

it.each([
  ['a text', false],
  [null, true],
] as const)('cannot use %j of a text that was recorded in an unknown form', (text, isErased) => {
  const recorded = rows([UNKNOWN_FORM, false]);
  expect(() => checkPersonalTexts(rows([text, isErased]), recorded, {})).toThrow(
    expect.objectContaining({ outcome: 'unusable' }),
  );
});
