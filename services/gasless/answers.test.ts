import { pino } from 'pino';
import { LOCAL } from '../../contracts/http/local-accounts';
import { LOCAL_GASLESS_BOC } from '../../contracts/http/ton/gasless';
import { WrongExpectedRevision } from '../../contracts/ports/event-store';
import { CannotEmulate } from '../../contracts/ports/ton-emulator';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createGaslessAnswers } from './answers';

const asked = {
  ...({ network: 'testnet', master: LOCAL.dollar, wallet_address: LOCAL.alice } as const),
  wallet_public_key: LOCAL.aliceKey,
  messages: [{ boc: LOCAL_GASLESS_BOC }],
};

it('what programs keep changing at the same time is asked for again, and is no conflict of the wallet', async () => {
  const conflict = (): never => {
    throw new WrongExpectedRevision('gaslessBudget-testnet:all', 1, 2);
  };
  const answers = createGaslessAnswers({
    relayer: conflict,
    store: { readStream: conflict },
    handle: conflict,
    clock: () => new Date(),
    logger: pino({ level: 'silent' }),
    limits: async () => NO_LIMITS,
    sourceOf: ip => ip,
    upstream: () => null,
    client: conflict,
    watch: conflict,
  });
  await expect(answers.estimate(asked, { ip: '10.0.0.1' })).rejects.toMatchObject({ code: 'not_ready' });
});

it('what cannot be emulated now is refused, and the application asks again by itself', async () => {
  const impossible = (): never => {
    throw new CannotEmulate('the emulator thread ended');
  };
  const answers = createGaslessAnswers({
    relayer: impossible,
    store: { readStream: impossible },
    handle: impossible,
    clock: () => new Date(),
    logger: pino({ level: 'silent' }),
    limits: async () => NO_LIMITS,
    sourceOf: ip => ip,
    upstream: () => null,
    client: impossible,
    watch: impossible,
  });
  expect(await answers.estimate(asked, { ip: '10.0.0.1' })).toMatchObject({ error: 'try-later' });
});

it('says nothing in the log of what is refused, which anybody can ask for', async () => {
  const logged: string[] = [];
  const unasked = (): never => {
    throw new Error('not asked');
  };
  const exceeded = { quota: 1, window: 60, remaining: 0, resetsIn: 60, exceeded: true };
  const answers = createGaslessAnswers({
    relayer: unasked,
    store: { readStream: unasked },
    handle: unasked,
    clock: () => new Date(),
    logger: pino({ level: 'info' }, { write: line => void logged.push(line) }),
    limits: async () => ({ ...NO_LIMITS, consume: async () => exceeded }),
    sourceOf: ip => ip,
    upstream: () => null,
    client: unasked,
    watch: unasked,
  });
  expect(await answers.estimate(asked, { ip: '10.0.0.1' })).toMatchObject({ error: 'try-later' });
  expect(logged).toEqual([]);
});
