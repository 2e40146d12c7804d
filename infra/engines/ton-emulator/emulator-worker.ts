import { serveWorkerThread } from '../worker-thread/serve-worker-thread';
import { openTvm } from '../tvm/tvm';
import { emulate, jettonsAt, jettonWalletOf } from './emulate';
import type { EmulatorWork } from './emulator-threads';

serveWorkerThread<EmulatorWork>(() => {
  const opening = openTvm(() => undefined);
  return {
    methods: {
      emulate: async work => emulate(await opening, work),
      jettonsAt: async work => jettonsAt(await opening, work),
      jettonWalletOf: async work => jettonWalletOf(await opening, work),
    },
  };
});
