import type { TonTrace, TraceMessage } from '../../../contracts/chain/ton-trace';
import { outcomeOf } from './outcome';

const [RELAY, WALLET, JETTON_WALLET, RECEIVER, PAID] = [
  'relay',
  'wallet',
  'jettons',
  'receiver',
  'paid',
] as const;
const done: TraceMessage['transaction'] = {
  lt: '5',
  hash: 'h',
  time: 1,
  success: true,
  exitCode: 0,
  fees: '1',
  deployed: false,
};
const failed = { ...done, success: false, exitCode: 706 };

const message = (
  parent: number | null,
  src: string,
  dest: string,
  type: 'transfer' | 'internal_transfer' | null,
  changed: Partial<TraceMessage> = {},
): TraceMessage => ({
  hash: `${parent}-${dest}`,
  parent,
  src,
  dest,
  createdLt: '1',
  value: '1',
  fwdFee: '1',
  bounced: false,
  op: type && 1,
  transaction: done,
  jetton: type && ({ type, amount: '1', queryId: '0' } as TraceMessage['jetton']),
  ...changed,
});

/** The trace of the relay wallet's transaction; the changes are by place. */
function traceOf(changed: Readonly<Record<number, Partial<TraceMessage>>> = {}, length = 5): TonTrace {
  const messages = [
    message(null, RELAY, WALLET, null, { op: 0x73696e74 }),
    message(0, WALLET, JETTON_WALLET, 'transfer'),
    message(0, WALLET, JETTON_WALLET, 'transfer'),
    message(1, JETTON_WALLET, RECEIVER, 'internal_transfer'),
    message(2, JETTON_WALLET, PAID, 'internal_transfer'),
  ];
  return {
    state: 'open',
    messages: messages.slice(0, length).map((each, at) => ({ ...each, ...changed[at] })),
  };
}

it('is confirmed once both transfers have arrived', () =>
  expect(outcomeOf(traceOf(), WALLET)).toEqual({ type: 'confirmed', transaction: { lt: '5', hash: 'h' } }));

it.each<[string, TonTrace]>([
  ['the wallet has sent nothing', traceOf({}, 1)],
  ['it has sent one of two', traceOf({}, 2)],
  ['the jetton wallet refuses the transfer', traceOf({ 1: { transaction: failed } })],
  ['the jetton wallet refuses the commission', traceOf({ 2: { transaction: failed } })],
  ['the jetton wallet sends nothing on', traceOf({}, 4)],
  ['the receiver refuses it', traceOf({ 3: { transaction: failed } })],
])('is skipped when %s, though the transaction of the wallet succeeded', (_, trace) =>
  expect(outcomeOf(trace, WALLET)?.type).toBe('skipped'),
);

it('has bounced when the wallet returns the coins', () => {
  const back = message(0, WALLET, RELAY, null, { bounced: true });
  const refused = { ...done, success: false, exitCode: 133 };
  const trace: TonTrace = {
    state: 'complete',
    messages: [message(null, RELAY, WALLET, null, { transaction: refused }), back],
  };
  expect(outcomeOf(trace, WALLET)).toEqual({ type: 'bounced', exitCode: 133 });
});

it.each([0, 1, 3, 4])('is not known before the transaction of message %i is', at =>
  expect(outcomeOf(traceOf({ [at]: { transaction: null } }), WALLET)).toBeNull(),
);

it('is not known from a trace without the wallet', () => expect(outcomeOf(traceOf(), 'another')).toBeNull());

it('is not known when somebody has made the trace so long that messages are missing', () => {
  const messages = [...traceOf({}, 2).messages];
  while (messages.length < 1_024) messages.push(message(null, RELAY, 'another', null));
  expect(outcomeOf({ state: 'open', messages: messages.slice(0, -1) }, WALLET)?.type).toBe('skipped');
  expect(outcomeOf({ state: 'open', messages }, WALLET)).toBeNull();
});
