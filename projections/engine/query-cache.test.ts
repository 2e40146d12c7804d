import { EngineBusy } from '../../contracts/engine/engine-unavailable';
import { isImmutable } from '../../contracts/http/immutable-response';
import { JsonText } from '../../contracts/json/json-text';
import { Problem } from '../../contracts/problem/problem';
import { createQueryCache } from './query-cache';

const question = (name: string) => ({ key: [name], sources: [{ collection: 'c' }] });

/** A cache of answers from one number. */
function fixture() {
  const state = { version: 'v1' as string | null, number: 1, read: 0 };
  const answer = createQueryCache(() => (state.version === null ? null : Promise.resolve(state.version)));
  const compute = async () => {
    state.read++;
    return { number: state.number, list: [{ deep: 'x' }] };
  };
  return { state, answer, compute };
}

describe('a cached answer', () => {
  it('is the same frozen object while nothing has changed, marked as immutable', async () => {
    const { state, answer, compute } = fixture();
    const first = await answer(question('q'), compute);
    expect(await answer(question('q'), compute)).toBe(first);
    expect(state.read).toBe(1);
    expect(isImmutable(first)).toBe(true);
    expect(() => void (first.list[0]!.deep = 'y')).toThrow(TypeError);
    expect(() => void first.list.push({ deep: 'y' })).toThrow(TypeError);
  });

  it('is computed again when its sources have changed', async () => {
    const { state, answer, compute } = fixture();
    await answer(question('q'), compute);
    Object.assign(state, { version: 'v2', number: 2 });
    expect(await answer(question('q'), compute)).toMatchObject({ number: 2 });
  });

  it('is not used for another query', async () => {
    const { answer, compute } = fixture();
    const first = await answer(question('q'), compute);
    expect(await answer(question('p'), compute)).not.toBe(first);
  });

  it('is not used when its sources changed while it was computed', async () => {
    const { state, answer, compute } = fixture();
    await answer(question('q'), async () => {
      const early = await compute();
      Object.assign(state, { version: 'v2', number: 2 });
      return early;
    });
    expect(await answer(question('q'), compute)).toMatchObject({ number: 2 });
  });

  it('is computed once for all who ask meanwhile, and again for those who ask after a change', async () => {
    const { state, answer, compute } = fixture();
    const [first, second] = [answer(question('q'), compute), answer(question('q'), compute)];
    Object.assign(state, { version: 'v2', number: 2 });
    const later = answer(question('q'), compute);
    expect(await second).toBe(await first);
    expect(await later).toMatchObject({ number: 2 });
    expect(await answer(question('q'), compute)).toBe(await later);
    expect(state.read).toBe(2);
  });

  it.each([
    Problem.unavailable('The client has left.', 1),
    new EngineBusy('documents', 'too many reads of one caller wait'),
  ])(
    'is computed by those who wait for it where the one who asked first is refused it: %s',
    async refusal => {
      const { state, answer, compute } = fixture();
      const [refused, second, third] = await Promise.allSettled([
        answer(question('q'), () => Promise.reject(refusal)),
        answer(question('q'), compute),
        answer(question('q'), compute),
      ]);
      expect(refused).toEqual({ status: 'rejected', reason: refusal });
      const { value } = second as PromiseFulfilledResult<object>;
      expect(value).toMatchObject({ number: 1 });
      expect((third as PromiseFulfilledResult<object>).value).toBe(value);
      expect(state.read).toBe(1);
    },
  );

  it('is computed each time when versions are unknown, when it is not cacheable, and when it throws', async () => {
    const { state, answer, compute } = fixture();
    const notCacheable = () => false;
    await answer(question('q'), compute, notCacheable);
    expect(isImmutable(await answer(question('q'), compute, notCacheable))).toBe(false);
    await expect(answer(question('q'), () => Promise.reject(new Error('unavailable')))).rejects.toThrow(
      'unavailable',
    );
    state.version = null;
    await answer(question('q'), compute);
    expect(isImmutable(await answer(question('q'), compute))).toBe(false);
    expect(state.read).toBe(4);
  });

  it('may be null', async () => {
    const { answer } = fixture();
    const read = jest.fn(async () => null);
    expect([await answer(question('q'), read), await answer(question('q'), read)]).toEqual([null, null]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('that is in use stays, whatever a stranger asks for: the least recently used is evicted, and a large one not cached', async () => {
    const { answer } = fixture();
    const large = (megabytes: number) => jest.fn(async () => ({ text: 'x'.repeat(megabytes * 2 ** 20) }));
    const reads = Array.from({ length: 40 }, () => large(1));
    for (const [n, read] of reads.entries()) {
      await answer(question(`q${n}`), read);
      await answer(question('q0'), reads[0]!);
    }
    await answer(question('q1'), reads[1]!);
    await answer(question('q39'), reads[39]!);
    expect(reads[0]).toHaveBeenCalledTimes(1);
    expect(reads[1]).toHaveBeenCalledTimes(2);
    expect(reads[39]).toHaveBeenCalledTimes(1);

    const page = jest.fn(async () => new JsonText([Buffer.alloc(5 * 2 ** 20)]));
    for (const tooLarge of [large(5), page]) {
      await answer(question('large'), tooLarge as () => Promise<object>);
      await answer(question('large'), tooLarge as () => Promise<object>);
      expect(tooLarge).toHaveBeenCalledTimes(2);
    }
  });
});
