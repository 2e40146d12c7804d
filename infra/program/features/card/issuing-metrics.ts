import { Counter } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

/** The issuer of cards. */
export function cardIssuingMetrics(registers: Registers) {
  return {
    webhooks: new Counter({
      name: 'tidemark_card_webhooks_total',
      help: 'Signed webhooks of the issuer of cards, by type and result; those that are set aside have to be looked into',
      labelNames: ['type', 'result'],
      registers,
    }),
    told: new Counter({
      name: 'tidemark_card_issuer_calls_total',
      help: 'What the issuer of cards was told, by kind and outcome; failed ones have to be looked into',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
  };
}
