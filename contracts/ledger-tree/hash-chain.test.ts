import { HashChain, EMPTY_HEAD } from './hash-chain';
import { LedgerTree, sameTreeHead } from './tree-head';
import { ledgerLine, eventDigest } from './ledger-line';
import { sha256 } from '../encoding/sha256';

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

describe('the hash chain', () => {
  it('commits to each digest and all before it', () => {
    const [one, two] = [sha256('1'), sha256('2')];
    const chain = new HashChain();
    expect(chain.head).toEqual(Buffer.alloc(32));
    chain.append(one);
    const first = sha256(Buffer.concat([EMPTY_HEAD, one]));
    expect(chain.head).toEqual(first);
    chain.append(two);
    expect(chain.head).toEqual(sha256(Buffer.concat([first, two])));
  });

  it('continues from any head', () => {
    const whole = new HashChain();
    whole.append(sha256('1'));
    const later = new HashChain(whole.head);
    whole.append(sha256('2'));
    later.append(sha256('2'));
    expect(later.head).toEqual(whole.head);
  });

  it('has another head for another order', () => {
    const [one, other] = [new LedgerTree(), new LedgerTree()];
    ['a', 'b'].forEach((text, at) => one.append(sha256(text), at));
    ['b', 'a'].forEach((text, at) => other.append(sha256(text), at));
    expect(sameTreeHead(one.head(), other.head())).toBe(false);
    expect(one.head()).toMatchObject({ size: 2, position: 1 });
  });
});

describe('the line of an event', () => {
  it('is the canonical JSON of its members, without any others that a store may add', () => {
    const line =
      '{"created":"2026-11-01T00:00:00.000Z","data":{"a":"1.00","b":"ü"},' +
      '"id":"6c1f8c5e-6f0f-4c1b-8d5e-1d5f1c1c1c1c","metadata":{"v":1},"position":7,"revision":0,' +
      '"stream":"fee-a","type":"FeeRecorded"}';
    expect(ledgerLine({ ...event, extra: 1 } as typeof event)).toBe(line);
    expect(eventDigest(line)).toEqual(sha256(Buffer.from(line, 'utf8')));
  });
});
