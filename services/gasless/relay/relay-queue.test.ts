import { pino } from 'pino';
import type { GaslessSendRef } from '../../../contracts/events/gasless-send';
import { createRelayQueue } from './relay-queue';

const logger = pino({ level: 'silent' });
const { signal } = new AbortController();
const refOf = (wallet: string): GaslessSendRef => ({ network: 'testnet', wallet, seqno: 0 });
const walletsOf = (refs: readonly GaslessSendRef[]): string[] => refs.map(({ wallet }) => wallet);

it('what comes while one round runs goes into the next, together', async () => {
  const rounds: string[][] = [];
  let first = (): void => undefined;
  const began = new Promise<void>(resolve => (first = resolve));
  const queue = createRelayQueue({
    async run(waiting) {
      rounds.push(walletsOf(waiting));
      if (rounds.length === 1) await began;
      return waiting;
    },
    logger,
  });
  const sent = [queue.sendOn(refOf('a'), signal)];
  sent.push(queue.sendOn(refOf('b'), signal), queue.sendOn(refOf('c'), signal));
  first();
  await Promise.all(sent);
  expect(rounds).toEqual([['a'], ['b', 'c']]);
});

it('what comes as soon as the one before has ended is sent on too', async () => {
  const rounds: string[][] = [];
  const queue = createRelayQueue({
    async run(waiting) {
      rounds.push(walletsOf(waiting));
      return waiting;
    },
    logger,
  });
  await queue.sendOn(refOf('a'), signal);
  await queue.sendOn(refOf('b'), signal);
  expect(rounds).toEqual([['a'], ['b']]);
});

it('asks again until nothing more is to be done, also after an error', async () => {
  let rounds = 0;
  const queue = createRelayQueue({
    async run(waiting) {
      rounds += 1;
      if (rounds === 1) throw new Error('no node answers');
      return rounds < 3 ? [] : waiting;
    },
    logger,
    pollMs: 1,
  });
  await queue.sendOn(refOf('a'), signal);
  expect(rounds).toBe(3);
});

it('two that wait for the same request end together', async () => {
  const rounds: string[][] = [];
  const queue = createRelayQueue({
    run: async waiting => {
      rounds.push(walletsOf(waiting));
      await new Promise(setImmediate);
      return waiting;
    },
    logger,
  });
  await Promise.all([queue.sendOn(refOf('a'), signal), queue.sendOn(refOf('a'), signal)]);
  expect(rounds).toEqual([['a']]);
});

it('a worker that stops leaves, and does not count as one for whom all is done', async () => {
  const stopping = new AbortController();
  const rounds: string[][] = [];
  const queue = createRelayQueue({
    run: async waiting => {
      rounds.push(walletsOf(waiting));
      return [];
    },
    logger,
    pollMs: 1,
  });
  const [stopped, other] = [queue.sendOn(refOf('a'), stopping.signal), new AbortController()];
  const kept = queue.sendOn(refOf('b'), other.signal);
  stopping.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  const before = rounds.length;
  while (rounds.length < before + 2) await new Promise(setImmediate);
  expect(rounds.at(-1)).toEqual(['b']);
  other.abort(new Error('stopped too'));
  await expect(kept).rejects.toThrow('stopped too');
});
