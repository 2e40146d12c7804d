import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventFamily } from '../../contracts/events/event-type';
import type { DomainEvent } from '../../contracts/decider';
import type { Sample, Samples } from './sample';
import { AUDIT_SAMPLES } from './samples/audit';
import { UNMATCHED_PAYMENT_SAMPLES } from './samples/unmatched-payment';
import { CONNECT_SAMPLES } from './samples/connect';
import { ERASURE_SAMPLES } from './samples/erasure';
import { EXCHANGE_ORDER_SAMPLES } from './samples/exchange-order';
import { FEE_SAMPLES } from './samples/fee';
import { IDEMPOTENCY_SAMPLES } from './samples/idempotency';
import { INVOICE_SAMPLES } from './samples/invoice';
import { LEDGER_CHECKPOINT_SAMPLES } from './samples/ledger-checkpoint';
import { MERCHANT_SAMPLES } from './samples/merchant';
import { PUSH_DEVICE_SAMPLES, PUSH_NOTIFICATION_SAMPLES } from './samples/push';
import { SETTLEMENT_SAMPLES } from './samples/settlement';
import { STORAGE_ENTRY_SAMPLES } from './samples/storage-entry';
import { TOKEN_SAMPLES } from './samples/token';
import { WALLET_REQUEST_SAMPLES } from './samples/wallet-request';
import { WATCH_SAMPLES } from './samples/watch';
import { ADDRESS_WARNING_SAMPLES } from './samples/address-warning';
import { SERVICE_ADDRESS_SAMPLES } from './samples/service-address';
import { ALLOWED_DOMAIN_SAMPLES } from './samples/allowed-domain';
import { APP_CONFIG_SAMPLES } from './samples/app-config';
import { APP_REPORT_SAMPLES, APP_REVIEW_SAMPLES, APP_VERIFICATION_SAMPLES } from './samples/apps';
import { BANNER_SAMPLES } from './samples/banner';

const SAMPLES: Samples = {
  ...AUDIT_SAMPLES,
  ...UNMATCHED_PAYMENT_SAMPLES,
  ...CONNECT_SAMPLES,
  ...ERASURE_SAMPLES,
  ...EXCHANGE_ORDER_SAMPLES,
  ...FEE_SAMPLES,
  ...IDEMPOTENCY_SAMPLES,
  ...INVOICE_SAMPLES,
  ...LEDGER_CHECKPOINT_SAMPLES,
  ...MERCHANT_SAMPLES,
  ...PUSH_DEVICE_SAMPLES,
  ...PUSH_NOTIFICATION_SAMPLES,
  ...SETTLEMENT_SAMPLES,
  ...STORAGE_ENTRY_SAMPLES,
  ...TOKEN_SAMPLES,
  ...WALLET_REQUEST_SAMPLES,
  ...WATCH_SAMPLES,
  ...ADDRESS_WARNING_SAMPLES,
  ...SERVICE_ADDRESS_SAMPLES,
  ...ALLOWED_DOMAIN_SAMPLES,
  ...APP_CONFIG_SAMPLES,
  ...APP_REPORT_SAMPLES,
  ...APP_REVIEW_SAMPLES,
  ...APP_VERIFICATION_SAMPLES,
  ...BANNER_SAMPLES,
};

type Family = EventFamily<DomainEvent>;
const FOLDER = join(__dirname, '../../contracts/events');

/** Every event family that a file in contracts/events exports. */
async function declared(): Promise<Family[]> {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(files.map(name => import(join(FOLDER, name)) as Promise<object>));
  return modules.flatMap(each => Object.values(each) as unknown[]).filter(isFamily);
}

const isFamily = (exported: unknown): exported is Family =>
  typeof exported === 'object' && exported !== null && 'types' in exported && 'write' in exported;

let families: Family[];
beforeAll(async () => {
  families = await declared();
});
const familyOf = (type: string): Family =>
  families.find(({ types }) => types.some(({ name }) => name === type))!;

it('every version of every event type has a sample', () => {
  const versions = families
    .flatMap(({ types }) => types)
    .flatMap(({ name, version }) => Array.from({ length: version }, (_, n) => `${name} ${n + 1}`));
  const sampled = Object.entries(SAMPLES).flatMap(([type, samples]) =>
    samples.map(({ v }) => `${type} ${v}`),
  );
  expect(new Set(versions).size).toBe(versions.length);
  expect([...new Set(sampled)].sort()).toEqual(versions.sort());
});

it.each(
  Object.entries(SAMPLES).flatMap(([type, samples]) =>
    samples.map((sample): [string, number, Sample] => [type, sample.v, sample]),
  ),
)(
  '%s of version %i is read as its latest version, which can be written',
  (type, v, { data, latest = data }) => {
    const family = familyOf(type);
    const event = family.read({ type, data, metadata: { v } });
    expect(event.data).toEqual(latest);
    const written = family.write(event, 'id', {});
    const { version } = family.types.find(({ name }) => name === type)!;
    expect(written).toEqual({ id: 'id', type, data: latest, metadata: { v: version } });
  },
);
