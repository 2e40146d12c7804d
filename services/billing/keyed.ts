import type { CommandMetadata } from '../../contracts/decider';
import type { Json } from '../../contracts/json';
import type { Principal } from '../../contracts/principal';
import type { Call, WithHeaders } from '../http/binding';
import type { BillingDeps } from './deps';

/** Carries a command of a call out, with deps and metadata of its own. */
export type CarryOut = <Answer>(
  command: (deps: BillingDeps, metadata: CommandMetadata) => Promise<WithHeaders<Answer>>,
) => Promise<WithHeaders<Answer>>;

/** Once for each idempotency key of the caller and the action; what the key makes the same is in the deps and metadata. */
export function keyed(
  deps: BillingDeps,
  call: Call<unknown, unknown, unknown>,
  caller: Principal,
  action: string,
): CarryOut {
  const metadata = metadataOf(deps, caller, call.requestId);
  return command =>
    deps.once(
      {
        key: call.header('idempotency-key'),
        scope: [deps.instanceId, caller.issuer, caller.subject, action],
        body: call.body as Json,
        metadata,
      },
      ({ commandId, newId }) =>
        command({ ...deps, newId }, { ...metadata, ...(commandId !== null && { commandId }) }),
    );
}

const metadataOf = (deps: BillingDeps, caller: Principal, requestId: string): CommandMetadata => ({
  now: deps.now(),
  actor: caller.subject,
  issuer: caller.issuer,
  role: caller.role,
  secureSessionAge: caller.secureSessionAge,
  requestId,
});
