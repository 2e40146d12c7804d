import { Counter, Gauge } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

/** Gasless transfers on their way, and the wallets that pay for them. */
export function gaslessSendingMetrics(registers: Registers) {
  return {
    sending: new Gauge({
      name: 'tidemark_gasless_sending',
      help: 'Gasless transfers that were accepted and are in no block yet',
      registers,
    }),
    unknown: new Gauge({
      name: 'tidemark_gasless_messages_without_outcome',
      help: 'Messages of relay wallets in a block of whose transfers it is not known yet what became of all of them',
      registers,
    }),
    inMessage: new Gauge({
      name: 'tidemark_gasless_transfers_in_message',
      help: 'Gasless transfers in the message of the relay wallet that is not in a block yet; else 0',
      labelNames: ['network'],
      registers,
    }),
    balance: new Gauge({
      name: 'tidemark_gasless_relay_balance_toncoins',
      help: 'Balance of the relay wallet',
      labelNames: ['network'],
      registers,
    }),
    otherCode: new Gauge({
      name: 'tidemark_gasless_jettons_with_other_code',
      help: 'Jettons that have other code than when they were listed: their transfers are refused',
      labelNames: ['network'],
      registers,
    }),
    unusable: new Gauge({
      name: 'tidemark_gasless_jettons_unusable',
      help: 'Listed jettons that are no jetton, not deployed, frozen, or have other decimals: their transfers are refused',
      labelNames: ['network'],
      registers,
    }),
    outcomes: new Counter({
      name: 'tidemark_gasless_transfers_total',
      help: 'Gasless transfers that were sent on, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
