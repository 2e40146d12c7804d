import type { Request } from 'express';
import type { Access, Endpoint } from '../../contracts/http/endpoint';
import { ALL_NETWORKS, isFollowed, NETWORKS } from '../../contracts/network/network';
import { expectFollowed } from '../../contracts/network/network-off';
import { ADDRESS } from '../../contracts/quota';
import { accessOf, authorize, minPositionOf, type SecureSession } from './access';
import { bodyReader, DEFAULT_BODY_LIMIT } from './body';
import type { IncomingCall } from './incoming-call';
import type { IncompleteBodies } from './incomplete-bodies';
import { limitAddress, limitCaller } from './limits';
import type { MountOptions } from './mount-options';
import { refuseUnsafeKeys, validate } from './validate';

const NO_SESSION: SecureSession = { maxAge: 0, acrValues: [], ownIssuers: [] };

/**
 * Checks a call in this order: authentication, quota of the address, role, secure session, path and query, rate limit, body,
 * networks: who may not call it has no body read. Where the access depends on the action that the body names, it comes after that.
 */
export function admission(
  endpoint: Endpoint,
  { authenticate = {}, limits, secureSession = NO_SESSION, followed = ALL_NETWORKS }: MountOptions,
  bodies: IncompleteBodies,
) {
  const { kind, auth = 'none', params, query, limitedByAddress } = endpoint;
  const { bodyLimit = DEFAULT_BODY_LIMIT, bodyType } = endpoint;
  const body = kind === 'websocket' ? undefined : endpoint.body;
  const readBody = body && bodyReader(bodyLimit, bodyType, bodies);
  const identify = auth === 'none' ? null : authenticate[auth]!;
  const isSomeOff = NETWORKS.some(network => !isFollowed(followed, network));
  const isBodyIgnored = !readBody && kind !== 'proxy';
  return async (call: IncomingCall, request: Request) => {
    // Some of it would wait in memory for as long as the call does.
    if (isBodyIgnored) request.resume();
    if (identify) call.principal = await identify(authorizationOf(request));
    if (limitedByAddress) await limitAddress(limits!, ADDRESS, call);
    const limit = async ({ rateLimit }: Access): Promise<void> => {
      if (rateLimit) await limitCaller(limits!, rateLimit, call);
    };
    if (!endpoint.actions) authorize(call.principal, endpoint, secureSession);
    call.params = validate(params, 'path', request.params);
    call.query = query && validate(query, 'query', request.query);
    if (!endpoint.actions) await limit(endpoint);
    const json = await readBody?.(request, call);
    refuseUnsafeKeys(json);
    call.body = validate(body, 'body', json);
    const { access, action } = accessOf(endpoint, call.body);
    if (action !== null) {
      call.operation = `${call.operation} ${action}`;
      authorize(call.principal, access, secureSession);
      await limit(access);
    }
    if (isSomeOff && endpoint.needs) expectFollowed(followed, endpoint.needs(call));
    if (access.minPosition) call.minPosition = minPositionOf(call.header);
    return { access, action };
  };
}

/** More than one Authorization header is treated as none: Node would ignore all but the first. */
function authorizationOf(request: Request): string | undefined {
  const given = request.headersDistinct['authorization'];
  return given?.length === 1 ? given[0] : undefined;
}
