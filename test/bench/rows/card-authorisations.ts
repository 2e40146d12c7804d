import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { signWebhook } from '../../../contracts/card-issuer/signature';
import { doubleSecrets } from '../../../infra/program/features/card/issuer';
import { readConfig } from '../../../infra/program/settings/config';
import { run } from '../child';
import type { CardHolder } from '../fill/card-holders';
import { figure, once, quantile } from '../figure';
import { withoutNetworks } from '../ports';
import type { Row } from '../row';

const PER_SECOND = 200;
/** One at a time. */
const IDLE_PER_SECOND = 20;
const TICK_MS = 1;

/**
 * Webhooks that ask for authorisations with the cards of many holders, at a rate whether or not earlier ones are answered. An answer is
 * sent once the decision is durable. The floor is the same while nothing else is asked.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const [holders, seconds] = sized({ full: [200, 30], quick: [50, 5], smallest: [2, 0.1] });
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    CARD_SANDBOX: 'true',
    RATE_LIMIT_ADDRESS: '0',
  };
  say(`${holders} card holders`);
  const prepared = run('programs/prepare-cards', ['cards', String(holders)], { env });
  const cards = (await prepared.next<CardHolder[]>()).map(({ cardId }) => cardId);
  await prepared.ended();
  const program = run('programs/serve', [], { env });
  const url = `${await program.next<string>()}/card/webhooks/issuer`;
  const { secret } = await doubleSecrets(readConfig(env));
  let count = 0;
  /** @returns milliseconds until it was answered */
  const ask = async (): Promise<number> => {
    const signed = webhookAbout(cards[count++ % cards.length]!);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': signed.id,
      'webhook-timestamp': signed.timestamp,
      'webhook-signature': signWebhook(signed, secret),
    };
    const began = performance.now();
    const answer = await request(url, { method: 'POST', headers, body: signed.body });
    const text = await answer.body.text();
    const ms = performance.now() - began;
    if (!text.includes('"approved"')) throw new Error(`${answer.statusCode}: ${text}`);
    return ms;
  };

  const atRate = async (perSecond: number): Promise<number[]> => {
    const total = Math.max(1, Math.round(perSecond * seconds));
    const began = performance.now();
    const answers: Promise<number>[] = [];
    while (answers.length < total) {
      const due = Math.floor(((performance.now() - began) / 1_000) * perSecond) + 1;
      while (answers.length < Math.min(due, total)) answers.push(ask());
      await sleep(TICK_MS);
    }
    return Promise.all(answers);
  };
  say('warming up');
  await atRate(PER_SECOND);
  say('one at a time');
  const idle = await atRate(IDLE_PER_SECOND);
  say(`${PER_SECOND} a second`);
  const loaded = await atRate(PER_SECOND);
  await program.stop();
  const p99 = (times: readonly number[]): number => quantile(times, 0.99);
  const p50 = `p50 ${quantile(loaded, 0.5).toFixed(1)} to ${quantile(idle, 0.5).toFixed(1)} ms`;
  return [
    figure(
      {
        what: `card authorisations, ${PER_SECOND}/s: p99, to that of ${IDLE_PER_SECOND}/s`,
        unit: 'ms',
        note: p50,
      },
      once(p99(loaded), p99(idle)),
      { of: 'value', atMost: 20 },
    ),
  ];
};

function webhookAbout(cardId: string) {
  const amount = { amount: '100', currency: 'EUR' };
  const data = {
    cardId,
    transactionId: `txn-${randomUUID()}`,
    occurredAt: new Date().toISOString(),
    merchantAmount: amount,
    cardAmount: amount,
    rate: { units: '1', per: '1' },
  };
  return {
    id: `msg_${randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    body: JSON.stringify({ type: 'authorisation.requested', data }),
  };
}
