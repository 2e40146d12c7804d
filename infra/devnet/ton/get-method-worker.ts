import { Address, Cell, parseTuple, type TupleItem } from '@ton/core';
import { serveWorkerThread } from '../../engines/worker-thread/serve-worker-thread';
import { NOT_RUN, openTvm } from '../../engines/tvm/tvm';
import type { GetMethodWork, MethodCall, MethodResult } from './get-method-thread';
import { stackItemJson } from './stack-json';

/** Null when it is no tuple. */
function tupleIn(args: string | null): TupleItem[] | null {
  try {
    return args === null ? [] : parseTuple(Cell.fromBase64(args));
  } catch {
    return null;
  }
}

const toJson = (boc: string): object[] => parseTuple(Cell.fromBase64(boc)).map(stackItemJson);

serveWorkerThread<GetMethodWork>(() => {
  // The thread is replaced with the machine when a call breaks it.
  const opening = openTvm(() => undefined);
  return {
    methods: {
      ready: async () => void (await opening),
      async run({ address, code, data, args, ...call }: MethodCall): Promise<MethodResult | null> {
        const stack = tupleIn(args);
        if (!stack) return null;
        if (code === null || data === null)
          return { exitCode: NOT_RUN, stack: null, arguments: stack.map(stackItemJson), items: [] };
        const tvm = await opening;
        const outcome = await tvm.runGetMethod({
          ...call,
          address: Address.parseRaw(address),
          code: Cell.fromBase64(code),
          data: Cell.fromBase64(data),
          stack,
        });
        return {
          ...outcome,
          arguments: stack.map(stackItemJson),
          items: outcome.stack === null ? [] : toJson(outcome.stack),
        };
      },
    },
  };
});
