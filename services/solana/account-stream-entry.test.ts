import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonObject } from '../../contracts/json/json-text';
import { runs } from '../../test/random';
import { AccountEntry } from './account-stream-entry';
import type { AccountMessage, AccountState } from './account-stream-state';

const stateAt = (slot: number, isCurrent = true): AccountState => ({
  message: jsonObject({ event: 'message' as const, data: { result: { context: { slot }, value: null } } }),
  histories: String(slot),
  isReadable: true,
  account: null,
  isCurrent,
});
const slotOf = (message: AccountMessage): number => message.parse().data.result.context.slot;

test('whenever a client begins to watch, the last message of each is the last state, and none is repeated or older', async () => {
  const step = fc.constantFrom('change', 'change', 'watch', 'wait');
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.infiniteStream(fc.nat(3)),
      async (steps, turns) => {
        let slot = 1;
        const readState = async (): Promise<AccountState> => {
          const read = stateAt(slot);
          for (let turn = turns.next().value!; turn > 0; turn--) await nextTurn();
          return read;
        };
        const entry = new AccountEntry(readState, () => undefined);
        const watchers: { readonly from: number; readonly received: number[] }[] = [];
        for (const each of steps) {
          if (each === 'wait') await nextTurn();
          if (each === 'change') {
            slot += 1;
            void entry.refresh();
          }
          if (each === 'watch') {
            const received: number[] = [];
            entry.watchers.add(message => void received.push(slotOf(message)));
            await entry.ready();
            watchers.push({ from: slot, received });
          }
        }
        await entry.refresh();
        await nextTurn();
        for (const { from, received } of watchers) {
          if (slot > from) expect(received.at(-1)).toBe(slot);
          expect(received).toEqual([...new Set(received)].sort((a, b) => a - b));
        }
      },
    ),
    runs(200),
  );
});

test('watchers are notified of a state that could not be read as soon as it can be', async () => {
  let fails = true;
  const entry = new AccountEntry(
    async () => {
      if (fails) throw new Error('no engine');
      return stateAt(7);
    },
    () => undefined,
  );
  const received: number[] = [];
  entry.watchers.add(message => void received.push(slotOf(message)));
  await expect(entry.ready()).rejects.toThrow('no engine');
  fails = false;
  await entry.refresh();
  expect(received).toEqual([7]);
});

test('thousands are notified in several turns of the event loop, and of changes meanwhile once', async () => {
  let slot = 1;
  const entry = new AccountEntry(
    async () => stateAt(slot),
    () => undefined,
  );
  const received = Array.from({ length: 2_000 }, (): number[] => []);
  for (const each of received) entry.watchers.add(message => void each.push(slotOf(message)));
  await entry.ready();
  for (slot = 2; slot < 5; slot++) await entry.refresh();
  slot = 5;
  await entry.refresh();
  expect(received.at(-1)).toEqual([]);
  while (received.at(-1)!.at(-1) !== 5) await nextTurn();
  for (const each of received) expect(each).toEqual([2, 5]);
});
