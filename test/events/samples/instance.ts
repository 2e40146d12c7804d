import type { Samples } from '../sample';

export const INSTANCE_SAMPLES: Samples = {
  InstanceIdentified: [
    {
      v: 1,
      data: { instanceId: 'acme', currency: 'EUR', at: '2026-11-01T12:00:00.000Z', by: 'tidemark' },
    },
  ],
};
