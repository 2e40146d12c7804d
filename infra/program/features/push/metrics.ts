import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

/** Notifications of devices. */
export function pushMetrics(registers: Registers) {
  return {
    devices: new Gauge({
      name: 'tidemark_push_devices',
      help: 'Devices registered for notifications',
      registers,
    }),
    notifications: new Counter({
      name: 'tidemark_push_notifications_total',
      help: 'Attempts to send a notification to a device, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    receipts: new Counter({
      name: 'tidemark_push_receipts_total',
      help: 'Accepted notifications, by what the sender said of their delivery later',
      labelNames: ['outcome'],
      registers,
    }),
    requests: new Histogram({
      name: 'tidemark_push_request_duration_seconds',
      help: 'Duration of requests to the push service, by method and outcome',
      labelNames: ['method', 'outcome'],
      registers,
    }),
  };
}
