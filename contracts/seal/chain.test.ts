import { Chain, FIRST_HEAD } from './chain';
import { GrowingSeal, sameHistory } from './growing-seal';
import { ledgerLine, leafDigest } from './ledger-line';
import { sha256 } from './sha256';

const event = {
  position: 7,
  stream: 'fee-a',
  revision: 0,
  id: '6c1f8c5e-6f0f-4c1b-8d5e-1d5f1c1c1c1c',
  type: 'FeeRecorded',
  data: { b: 'ü', a: '1.00' },
  metadata: { v: 1 },
  created: '2026-11-01T00:00:00.000Z',
};

describe('the chain', () => {
  it('links each digest to all before it', () => {
    const [one, two] = [sha256('1'), sha256('2')];
    const chain = new Chain();
    expect(chain.head).toEqual(Buffer.alloc(32));
    chain.add(one);
    const first = sha256(Buffer.concat([FIRST_HEAD, one]));
    expect(chain.head).toEqual(first);
    chain.add(two);
    expect(chain.head).toEqual(sha256(Buffer.concat([first, two])));
  });

  it('goes on from any head as if it had been there all the time', () => {
    const whole = new Chain();
    whole.add(sha256('1'));
    const later = new Chain(whole.head);
    whole.add(sha256('2'));
    later.add(sha256('2'));
    expect(later.head).toEqual(whole.head);
  });

  it('tells another order by another head', () => {
    const [one, other] = [new GrowingSeal(), new GrowingSeal()];
    ['a', 'b'].forEach((text, at) => one.add(sha256(text), at));
    ['b', 'a'].forEach((text, at) => other.add(sha256(text), at));
    expect(sameHistory(one.now(), other.now())).toBe(false);
    expect(one.now()).toMatchObject({ size: 2, position: 1 });
  });
});

describe('the line of an event', () => {
  it('is RFC 8785 of its members, and nothing else that a store may add', () => {
    const line =
      '{"created":"2026-11-01T00:00:00.000Z","data":{"a":"1.00","b":"ü"},' +
      '"id":"6c1f8c5e-6f0f-4c1b-8d5e-1d5f1c1c1c1c","metadata":{"v":1},"position":7,"revision":0,' +
      '"stream":"fee-a","type":"FeeRecorded"}';
    expect(ledgerLine({ ...event, extra: 1 } as typeof event)).toBe(line);
    expect(leafDigest(line)).toEqual(sha256(Buffer.from(line, 'utf8')));
  });
});
