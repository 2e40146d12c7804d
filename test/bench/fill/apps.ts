import { appSubject, type AppMetadata } from '../../../contracts/chain/app-metadata';
import {
  observationKey,
  OBSERVATIONS_TOPIC,
  type ObservationRecord,
} from '../../../contracts/observation/observation';
import type { Log } from '../../../contracts/ports/log';
import { appObservation } from '../../../indexers/apps/observation';
import { createPseudoRandom } from './pseudo-random';

const PREVIEW_BYTES = 12_000;

/** An application with a preview, which is not stale while it is measured. @returns its address */
export async function fillApp(log: Pick<Log, 'publish'>): Promise<string> {
  const url = 'https://measured.example.com';
  const subject = appSubject.format(url);
  const data: AppMetadata = {
    title: 'Measured application',
    description: 'Swaps and pools of jettons, with all that is known of them. '.repeat(4).trim(),
    color: '#0b2a4a',
    originalImage: `${url}/icon.png`,
    preview: {
      blurhash: 'UFEK,mxt0Jf60Ka}-;az0Jj[%Mj[Xmj[t7az',
      digest: '5f'.repeat(16),
      webp: Buffer.from(createPseudoRandom(1).bytes(PREVIEW_BYTES)).toString('base64'),
    },
  };
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const record: ObservationRecord = { kind: appObservation.kind, subject, height: null, at, data };
  const value = Buffer.from(JSON.stringify(record));
  await log.publish(OBSERVATIONS_TOPIC.name, [{ key: observationKey(record.kind, subject), value }]);
  return url;
}
