import type { ProblemDocument } from '../../../../contracts/problem/problem';
import { Refusal, Unanswered } from '../refusal';
import { CommandKeys } from './command-keys';

const refusal = (status: number): Refusal => new Refusal({ status } as ProblemDocument);
const VOID = { action: 'void', reason: 'wrong' };

describe('the key of a command', () => {
  it.each([new Unanswered('no answer'), refusal(503)])('is the same again after %s', error => {
    const keys = new CommandKeys();
    const first = keys.keyOf(VOID);
    keys.failed(error);
    expect(keys.keyOf({ ...VOID })).toBe(first);
  });

  it('is another one for another input, once it was refused, and once it was done', () => {
    const keys = new CommandKeys();
    const used = [keys.keyOf(VOID)];
    keys.failed(new Unanswered('no answer'));
    used.push(keys.keyOf({ ...VOID, reason: 'twice' }));
    keys.failed(refusal(409));
    used.push(keys.keyOf(VOID));
    keys.succeeded();
    used.push(keys.keyOf(VOID));
    expect(new Set(used).size).toBe(4);
    for (const key of used) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});
