import { type Metadata, status, type UntypedHandleCall } from '@grpc/grpc-js';

type Answer = (error: { code: status; details: string }) => void;
interface Call {
  readonly metadata: Metadata;
  emit(name: 'error', error: unknown): boolean;
}

const refusal = { code: status.UNAUTHENTICATED, details: 'Unauthenticated' };

/** Accepts only this user. @param credentials user:password; undefined accepts everyone */
export function requireCredentials<Handlers extends Record<string, UntypedHandleCall>>(
  handlers: Handlers,
  credentials: string | undefined,
): Handlers {
  if (credentials === undefined) return handlers;
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const guard =
    (handler: UntypedHandleCall) =>
    (call: Call, answer?: Answer): void => {
      if (call.metadata.get('authorization')[0] === expected)
        (handler as unknown as (call: Call, answer?: Answer) => void)(call, answer);
      else if (answer) answer(refusal);
      else call.emit('error', refusal);
    };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, guard(handler)]),
  ) as unknown as Handlers;
}
