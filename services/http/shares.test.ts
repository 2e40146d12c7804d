import fc from 'fast-check';
import { runs } from '../../test/random';
import { countLooks } from '../../test/count-looks';
import { createShares } from './shares';

const nothing = (): void => undefined;

describe('places with a share for each caller', () => {
  it('one caller has a quarter, whatever it asks for, and others find the rest', () => {
    const shares = createShares(8);
    const attacker = Array.from({ length: 100 }, () => shares.take('attacker', nothing));
    expect(attacker.filter(place => typeof place === 'function')).toHaveLength(2);
    expect(attacker.at(-1)).toBe('share');
    for (const name of ['ann', 'bob', 'cy']) expect(shares.take(name, nothing)).toBeInstanceOf(Function);
  });

  it('once all are taken, who has most loses the newest of them, and nobody who has fewer', () => {
    const shares = createShares(8);
    const lost: string[] = [];
    for (const name of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'e1'])
      shares.take(name[0]!, () => lost.push(name));
    expect(shares.take('honest', nothing)).toBeInstanceOf(Function);
    expect(lost).toEqual(['a2']);
    expect(shares.take('another', nothing)).toBeInstanceOf(Function);
    expect(lost).toEqual(['a2', 'b2']);
  });

  it('are all of callers with one each: a further one has to wait until one is given up', () => {
    const shares = createShares(4);
    const places = ['a', 'b', 'c', 'd'].map(name => shares.take(name, nothing));
    expect(shares.take('e', nothing)).toBe('total');
    (places[0] as () => void)();
    (places[0] as () => void)();
    expect(shares.take('e', nothing)).toBeInstanceOf(Function);
    expect(shares.take('f', nothing)).toBe('total');
  });

  it('are never more than there are, and a caller with none gets one while another has two', () => {
    const step = fc.record({ caller: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), gives: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 60 }), (total, steps) => {
        const shares = createShares(total);
        const held: { readonly caller: string; readonly giveUp: () => void }[] = [];
        const count = (caller: string): number => held.filter(place => place.caller === caller).length;
        for (const { caller, gives } of steps) {
          const own = held.find(place => place.caller === caller);
          if (gives) {
            own?.giveUp();
            if (own) held.splice(held.indexOf(own), 1);
            continue;
          }
          const someHasTwo = held.some(place => count(place.caller) > 1);
          const place = shares.take(caller, () => held.splice(held.indexOf(taken), 1));
          const taken = { caller, giveUp: place as () => void };
          if (typeof place === 'function') held.push(taken);
          else expect(own === undefined && someHasTwo).toBe(false);
          expect(held.length).toBeLessThanOrEqual(total);
          expect(count(caller)).toBeLessThanOrEqual(Math.ceil(total / 4));
        }
      }),
      runs(100),
    );
  });

  it('a place may count as several: the first of a caller always may, and nobody loses any for one that is not given', () => {
    const shares = createShares(10, 4);
    const lost: string[] = [];
    const take = (name: string, weight: number) => shares.take(name[0]!, () => lost.push(name), weight);
    expect(take('a1', 6)).toBeInstanceOf(Function);
    expect(take('a2', 1)).toBe('share');
    expect(take('b1', 2)).toBeInstanceOf(Function);
    expect(take('b2', 2)).toBeInstanceOf(Function);
    expect(take('c1', 7)).toBe('total');
    expect(take('c1', 6)).toBe('total');
    expect(lost).toEqual([]);
    expect(take('c1', 3)).toBeInstanceOf(Function);
    expect(lost).toEqual(['a1']);
    expect(take('d1', 3)).toBeInstanceOf(Function);
    expect(take('e1', 3)).toBe('total');
    expect(take('e1', 2)).toBeInstanceOf(Function);
    expect(lost).toEqual(['a1', 'b2']);
  });

  it('0 places are no limit', () => {
    const shares = createShares(0);
    for (let n = 0; n < 1_000; n++) expect(shares.take('a', nothing)).toBeInstanceOf(Function);
  });

  it('who is over all places is told so without a look at all who have one', () => {
    const shares = createShares(1_000, 20);
    for (let n = 0; n < 1_000; n += 1) shares.take(`caller ${n % 980}`, nothing);
    const taken: unknown[] = [];
    const refused: unknown[] = [];
    const looks = countLooks(() => {
      for (let n = 0; n < 20; n += 1) taken.push(shares.take(`new ${n}`, nothing));
      for (let n = 0; n < 20; n += 1) refused.push(shares.take('another', nothing));
    });
    expect(taken.every(place => typeof place === 'function')).toBe(true);
    expect(refused.every(answer => answer === 'total')).toBe(true);
    expect(looks).toBeLessThan(1_000);
  });
});
