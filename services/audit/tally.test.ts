import { MAX_KINDS, MAX_KINDS_PER_DAY, Tally } from './tally';

const DAY_MS = 86_400_000;
const refusal = (address: string, actor: string | null = null) => ({
  action: null,
  actor,
  address,
  status: 401,
  code: 'unauthenticated',
});
/** An address of the /64 network of a host. */
const inNetwork = (network: number, n: number) => `2001:db8:${network.toString(16)}::${(n + 1).toString(16)}`;

function open() {
  const clock = { now: 0 };
  return { clock, tally: new Tally(() => clock.now) };
}

it('a stranger with any number of addresses in its network has a share of the kinds, and those of others are told apart', () => {
  const { tally } = open();
  for (let n = 0; n < 1_000; n++) tally.add(refusal(inNetwork(1, n)));
  const honest = refusal('192.0.2.1');
  tally.add(honest);
  tally.add(honest);
  const { counts, others } = tally.drain()!;
  expect(counts).toContainEqual({ ...honest, count: 2 });
  expect(counts).toHaveLength(MAX_KINDS / 4 + 1);
  expect(others).toBe(1_000 - MAX_KINDS / 4);
});

it('strangers of any number of networks never keep those with a valid token from being told apart', () => {
  const { tally } = open();
  for (let network = 0; network < 500; network++) tally.add(refusal(inNetwork(network, 0)));
  const known = refusal('192.0.2.1', 'ann');
  tally.add(known);
  const { counts, others } = tally.drain()!;
  expect(counts).toContainEqual({ ...known, count: 1 });
  expect([counts.length, others]).toEqual([MAX_KINDS + 1, 400]);
});

it('one with a valid token has a share of the kinds of such callers', () => {
  const { tally } = open();
  for (let n = 0; n < 200; n++) tally.add(refusal(inNetwork(n, n), 'mallory'));
  tally.add(refusal('192.0.2.1', 'ann'));
  expect(tally.drain()!.counts.map(({ actor }) => actor)).toEqual([
    ...Array<string>(MAX_KINDS / 4).fill('mallory'),
    'ann',
  ]);
});

it('what strangers have told apart within a day has a bound, of which one has a share; the next day begins again', () => {
  const { clock, tally } = open();
  const kindsOf = (network: (n: number) => number): number => {
    let kinds = 0;
    for (let minute = 0; minute < 1_440; minute++) {
      for (let n = 0; n < MAX_KINDS; n++) tally.add(refusal(inNetwork(network(n), n)));
      kinds += tally.drain()!.counts.length;
    }
    return kinds;
  };
  expect(kindsOf(() => 1)).toBe(MAX_KINDS_PER_DAY / 4);
  tally.add(refusal('192.0.2.1'));
  expect(tally.drain()!.counts).toHaveLength(1);
  clock.now = DAY_MS;
  expect(kindsOf(n => n)).toBeLessThanOrEqual(MAX_KINDS_PER_DAY);
});

it('what could not be recorded is counted with what follows', () => {
  const { tally } = open();
  for (let n = 0; n < 30; n++) tally.add(refusal(inNetwork(1, n)));
  tally.restore(tally.drain()!);
  tally.add(refusal(inNetwork(1, 0)));
  const { counts, others } = tally.drain()!;
  expect([counts.length, counts[0]!.count, others]).toEqual([25, 2, 5]);
});
