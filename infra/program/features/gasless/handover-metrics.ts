import { Gauge } from 'prom-client';
import type { HandoverCounts } from '../../../../projections/gasless/sends';
import type { Registers } from '../../metrics/metrics';

/** Gasless transfers that were handed over to the relayer of somebody else. */
export function gaslessHandoverMetrics(registers: Registers) {
  return {
    handovers: new Gauge({
      name: 'tidemark_gasless_handovers',
      help: 'Gasless transfers that were handed over to another relayer and are stored, by where they are: open, unanswered and taken are in flight',
      labelNames: ['step'],
      registers,
    }),
    oldest: new Gauge({
      name: 'tidemark_gasless_handover_oldest_seconds',
      help: 'How long ago the oldest gasless transfer in flight was handed over to another relayer; 0 when there is none',
      registers,
    }),
  };
}

/** @param now milliseconds since the epoch */
export function setHandoverMetrics(
  { handovers, oldest }: ReturnType<typeof gaslessHandoverMetrics>,
  counts: HandoverCounts,
  now: number,
): void {
  for (const [step, count] of Object.entries(counts.steps)) handovers.set({ step }, count);
  oldest.set(counts.oldest === null ? 0 : Math.max(0, now - Date.parse(counts.oldest)) / 1_000);
}
