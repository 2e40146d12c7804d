import { isKept } from '../../contracts/http/kept';
import { createAnswers } from './answers';

const question = (name: string) => ({ asked: [name], of: [{ collection: 'c' }] });

/** Answers over one number that is read and changes now and then. */
function fixture() {
  const state = { version: 'v1' as string | null, number: 1, read: 0 };
  const answer = createAnswers(() => state.version);
  const workOut = async () => {
    state.read++;
    return { number: state.number, list: [{ deep: 'x' }] };
  };
  return { state, answer, workOut };
}

describe('an answer', () => {
  it('is the same object while nothing has changed, frozen, and marked as kept', async () => {
    const { state, answer, workOut } = fixture();
    const first = await answer(question('q'), workOut);
    expect(await answer(question('q'), workOut)).toBe(first);
    expect(state.read).toBe(1);
    expect(isKept(first)).toBe(true);
    expect(() => void (first.list[0]!.deep = 'y')).toThrow(TypeError);
    expect(() => void first.list.push({ deep: 'y' })).toThrow(TypeError);
  });

  it('is worked out anew when its sources have changed', async () => {
    const { state, answer, workOut } = fixture();
    await answer(question('q'), workOut);
    Object.assign(state, { version: 'v2', number: 2 });
    expect(await answer(question('q'), workOut)).toMatchObject({ number: 2 });
  });

  it('is not that of another question', async () => {
    const { answer, workOut } = fixture();
    const first = await answer(question('q'), workOut);
    expect(await answer(question('p'), workOut)).not.toBe(first);
  });

  it('is not kept for later what a change has overtaken while it was worked out', async () => {
    const { state, answer, workOut } = fixture();
    await answer(question('q'), async () => {
      const early = await workOut();
      Object.assign(state, { version: 'v2', number: 2 });
      return early;
    });
    expect(await answer(question('q'), workOut)).toMatchObject({ number: 2 });
  });

  it('is worked out each time when versions cannot be told, when it does not last, and when it throws', async () => {
    const { state, answer, workOut } = fixture();
    const passing = () => false;
    await answer(question('q'), workOut, passing);
    expect(isKept(await answer(question('q'), workOut, passing))).toBe(false);
    await expect(answer(question('q'), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    state.version = null;
    await answer(question('q'), workOut);
    expect(isKept(await answer(question('q'), workOut))).toBe(false);
    expect(state.read).toBe(4);
  });

  it('may be nothing', async () => {
    const { answer } = fixture();
    const look = jest.fn(async () => null);
    expect([await answer(question('q'), look), await answer(question('q'), look)]).toEqual([null, null]);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('makes room for others when it was not asked for the longest, and is not kept when it is too large', async () => {
    const { answer } = fixture();
    const large = (megabytes: number) => jest.fn(async () => ({ text: 'x'.repeat(megabytes * 2 ** 20) }));
    const looks = Array.from({ length: 40 }, () => large(1));
    for (const [n, look] of looks.entries()) {
      await answer(question(`q${n}`), look);
      await answer(question('q0'), looks[0]!);
    }
    await answer(question('q1'), looks[1]!);
    await answer(question('q39'), looks[39]!);
    expect(looks[0]).toHaveBeenCalledTimes(1);
    expect(looks[1]).toHaveBeenCalledTimes(2);
    expect(looks[39]).toHaveBeenCalledTimes(1);

    const tooLarge = large(5);
    await answer(question('large'), tooLarge);
    await answer(question('large'), tooLarge);
    expect(tooLarge).toHaveBeenCalledTimes(2);
  });
});
