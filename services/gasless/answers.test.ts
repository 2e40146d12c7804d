import { pino } from 'pino';
import { LOCAL } from '../../contracts/http/local-accounts';
import { LOCAL_GASLESS_BOC } from '../../contracts/http/ton/gasless';
import { WrongExpectedRevision } from '../../contracts/ports/event-store';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createGaslessAnswers } from './answers';

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
  const asked = {
    ...({ network: 'testnet', master: LOCAL.dollar, wallet_address: LOCAL.alice } as const),
    ...{ wallet_public_key: LOCAL.aliceKey, messages: [{ boc: LOCAL_GASLESS_BOC }] },
  };
  await expect(answers.estimate(asked, { ip: '10.0.0.1' })).rejects.toMatchObject({ code: 'not_ready' });
});
