import { Counter } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

/** The TON Connect bridge. */
export function bridgeMetrics(registers: Registers) {
  return {
    messages: new Counter({
      name: 'tidemark_bridge_messages_total',
      help: 'Messages posted to the TON Connect bridge, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    delivered: new Counter({
      name: 'tidemark_bridge_delivered_messages_total',
      help: 'Messages written to event streams of the TON Connect bridge, again to a client that reconnects',
      registers,
    }),
  };
}
