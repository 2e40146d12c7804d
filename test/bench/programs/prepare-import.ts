import { createCalendar } from '../../../contracts/time/calendar';
import { readConfig } from '../../../infra/program/settings/config';
import { importFees } from '../../../services/billing/fee/import';
import { createHandle } from '../../../services/commands/handle';
import { enginesWithDocuments } from '../documents-engines';
import { feeFacts, fillFees } from '../fill/fees';
import { project } from '../fill/projected';
import { declareTopics } from '../fill/topics';

/** Events recorded and projected before, so that documents exist and are not built by a rebuild; and the fees they are of. */
const BEFORE = 1_000;
const PROJECTED = 750;

async function* rows(count: number): AsyncGenerator<Buffer> {
  for (let n = BEFORE; n < BEFORE + count; n++) {
    const { billing_period: _, day: __, ...row } = feeFacts(n);
    const status = n % 3 === 0 ? 'collected' : 'pending';
    yield Buffer.from(`${JSON.stringify({ ...row, collection_status: status })}\n`);
  }
}

/** Program: a data folder with projected fees, and so many that were imported while no program ran. Reports how many there are. */
async function main(count: number, where?: string): Promise<void> {
  const config = readConfig(process.env);
  const { store, ...engines } = await enginesWithDocuments(config, where);
  await declareTopics(engines.log);
  await fillFees(store, BEFORE);
  await project({ store, ...engines });
  const { INSTANCE_ID: instanceId, INSTANCE_TIME_ZONE } = config;
  const imported = await importFees(
    { store, handle: createHandle({ store }), instanceId, calendar: createCalendar(INSTANCE_TIME_ZONE) },
    {
      content: rows(count),
      metadata: () => ({ now: new Date().toISOString(), actor: 'bench' }),
      onProblem: 'stop',
      report: (_, problem) => process.stderr.write(`${problem}\n`),
      signal: new AbortController().signal,
    },
    () => undefined,
  );
  if (imported.recorded !== count) throw new Error(`imported ${imported.recorded} fees of ${count}`);
  await engines.close();
  process.send!(PROJECTED + count);
  process.disconnect();
}

void main(Number(process.argv[2]), process.argv[3]);
