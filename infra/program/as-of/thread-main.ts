import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import type { Mark } from '../../../projections/as-of/timeline';
import { BILLING_MODELS } from '../../../projections/billing/models';
import { openStore } from '../../engines/engines';
import { foldHere, type Folding } from './folding';
import { STOP, type Report, type Work } from './thread';

/** Thread: does one piece of work, and tells of its end once everything is closed. */
async function work(port: MessagePort, { settings, task }: Work): Promise<void> {
  const say = (report: Report): void => port.postMessage(report);
  const stopping = new AbortController();
  port.on('message', message => message === STOP && stopping.abort(new Error('stopped')));

  const carryOut = async ({ find, fold }: Folding): Promise<Mark> => {
    if ('find' in task) return find(task.find, task.from, stopping.signal, met => say({ met }));
    await fold(task.file, task.fold, stopping.signal, (...folding) => say({ folding }));
    return task.fold;
  };

  try {
    const store = await openStore(settings);
    const done = await carryOut(foldHere({ store, projections: BILLING_MODELS })).finally(() =>
      store.close(),
    );
    say({ done });
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    say({ unavailable: { engine: error.engine, reason: error.reason } });
  }
}

void work(parentPort!, workerData as Work);
