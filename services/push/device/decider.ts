import { refuse, type CommandMetadata } from '../../../contracts/decider';
import { pushDeviceEvents, type PushDeviceEvent } from '../../../contracts/events/push-device';
import { UNPROVEN_MS } from '../../../projections/push/followers';
import type { StreamKind } from '../../commands/stream-kind';

type Registered = Extract<PushDeviceEvent, { type: 'PushDeviceRegistered' }>['data'];
type Account = Registered['accounts'][number];

/** A device that is notified; null before it is registered, and once it is retired. */
interface PushDevice extends Pick<Registered, 'deviceId' | 'digest' | 'accounts'> {
  readonly registeredAt: string;
}

export type PushDeviceCommand = { readonly metadata: CommandMetadata } & (
  | ({
      readonly type: 'register';
      /** Distinct. */
      readonly accounts: readonly Pick<Account, 'id' | 'source'>[];
      /** `id` of those of them whose wallet has signed that the device is its own. */
      readonly proven: readonly string[];
    } & Pick<Registered, 'deviceId' | 'contact' | 'digest' | 'source'>)
  /** It does not take what was sent at an instant. */
  | { readonly type: 'retireUnregistered'; readonly sentAt: string }
  /** It has not registered for so long. */
  | { readonly type: 'expire'; readonly expireAfterMs: number }
  | { readonly type: 'retire' }
);

/** An equal registration is recorded once in this time: it keeps a device its places. */
const RENEW_AFTER_MS = 86_400_000;

/**
 * The last registration of a token counts, also under another key of an application: who has the token is the installation. An
 * account is followed from the registration on that named it first, and what its wallet has proven once holds as long: each
 * registration says both of all accounts, so that the earlier ones need not be known.
 */
export const pushDeviceKind: StreamKind<PushDevice | null, PushDeviceCommand, PushDeviceEvent> = {
  events: pushDeviceEvents,
  lastEventIsState: true,
  decider: {
    initial: () => null,
    evolve(_state, { type, data }) {
      if (type === 'PushDeviceRetired') return null;
      const { deviceId, digest, accounts, at } = data;
      return { deviceId, digest, accounts, registeredAt: at };
    },
    decide(state, command) {
      const { now: at, actor: by } = command.metadata;
      if (command.type === 'register') return register(state, command);
      if (!state)
        return command.type === 'retire'
          ? refuse('push_device_not_found', 'No such device is registered.')
          : [];
      // What is sent from now on may arrive: the device has said that it is there.
      if (command.type === 'retireUnregistered' && state.registeredAt > command.sentAt) return [];
      if (command.type === 'expire' && ageOf(state, at) < command.expireAfterMs) return [];
      const reason = REASONS[command.type];
      const dropped = state.accounts.map(({ id }) => id);
      return [{ type: 'PushDeviceRetired', data: { deviceId: state.deviceId, reason, dropped, at, by } }];
    },
  },
};

const REASONS = { retire: 'operator', retireUnregistered: 'not_registered', expire: 'expired' } as const;

/** Milliseconds since it was registered last. */
const ageOf = ({ registeredAt }: PushDevice, at: string): number => Date.parse(at) - Date.parse(registeredAt);

const accountsOf = (state: PushDevice | null) =>
  new Map(state?.accounts.map(account => [account.id, account]));

/** Whether a registration says what the last one has said, and proves nothing more. */
export function isKnown(
  state: PushDevice | null,
  { digest, proven }: PushDeviceCommand & { type: 'register' },
): boolean {
  const known = accountsOf(state);
  return state?.digest === digest && proven.every(id => known.get(id)?.isProven);
}

function register(
  state: PushDevice | null,
  command: PushDeviceCommand & { type: 'register' },
): readonly PushDeviceEvent[] {
  const { deviceId, contact, digest, source } = command;
  const { now: at } = command.metadata;
  const before = accountsOf(state);
  // Another may have its place by now, and keeps it.
  const hasLapsed = state !== null && ageOf(state, at) > UNPROVEN_MS;
  const accounts = command.accounts.map(({ id, source: sourceAtAccount }) => {
    const { since, isProven = false } = before.get(id) ?? {};
    return {
      id,
      since: (hasLapsed ? null : since) ?? at,
      isAdded: !before.has(id),
      isProven: isProven || command.proven.includes(id),
      source: sourceAtAccount,
    };
  });
  if (state && isKnown(state, command) && ageOf(state, at) < RENEW_AFTER_MS) return [];
  const dropped = [...before.keys()].filter(id => !accounts.some(account => account.id === id));
  return [
    { type: 'PushDeviceRegistered', data: { deviceId, contact, digest, accounts, dropped, source, at } },
  ];
}
