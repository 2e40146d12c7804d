import { BILLING_PROJECTIONS } from '../../../../../projections/billing/billing-projections';
import { openEventStore, type StoreSettings } from '../../../../engines/engines';
import { serveWorkerThread } from '../../../../engines/worker-thread/serve-worker-thread';
import type { FoldMethods, FoldNotification } from './fold-thread';
import { inProcessBuilder, type SnapshotBuilder } from './snapshot-builder';

serveWorkerThread<FoldMethods, StoreSettings, FoldNotification>(({ data: settings, closing, notify }) => {
  /** The store is closed before the answer, so that the thread can be terminated after it. */
  const withBuilder = async <Result>(
    work: (builder: SnapshotBuilder) => Promise<Result>,
  ): Promise<Result> => {
    const store = await openEventStore(settings);
    try {
      return await work(inProcessBuilder({ store, projections: BILLING_PROJECTIONS }));
    } finally {
      await store.close();
    }
  };
  return {
    methods: {
      find: (moment, from) =>
        withBuilder(builder => builder.find(moment, from, closing, found => notify({ found }))),
      fold: (file, mark) =>
        withBuilder(builder => builder.fold(file, mark, closing, (...folded) => notify({ folded }))),
    },
  };
});
