import type { CommandMetadata } from '../../contracts/decider';
import {
  connectAnswer,
  connectCommand,
  connectCommandState,
  connectGrant,
  connectInit,
  connectRevoke,
  connectState,
  connectWait,
} from '../../contracts/http/connect/connect';
import { bind, type Binding } from '../http/binding';
import type { AnyCall } from '../http/call';
import { answerSession, changeSession, openSession, submitCommand } from './commands';
import { recordUse } from './use';
import type { ConnectDeps } from './deps';
import { findSession, readCommand, sessionOf, waitForSession } from './reads';
import { createSessionWaits } from './session-changes';

/** Connections of applications with wallets. */
export function connectRoutes(deps: ConnectDeps): Binding[] {
  const wait = createSessionWaits(deps.views);
  const metadata = ({ requestId, operation }: AnyCall): CommandMetadata => ({
    now: deps.clock().toISOString(),
    actor: operation,
    requestId,
  });
  return [
    bind(connectInit, call => openSession(deps, call.body, call, metadata(call))),
    bind(connectAnswer, call => answerSession(deps, call.body, call, metadata(call))),
    bind(connectGrant, call => changeSession(deps, 'grant', call.body.key, metadata(call))),
    bind(connectRevoke, call => changeSession(deps, 'revoke', call.body.key, metadata(call))),
    bind(connectCommand, call => submitCommand(deps, call.body.job, call, metadata(call))),
    bind(connectState, async call => {
      const found = await findSession(deps, call.params.session);
      await recordUse(deps, found, metadata(call));
      return sessionOf(found, deps.clock().getTime());
    }),
    bind(connectWait, async call => {
      await recordUse(deps, await findSession(deps, call.params.session), metadata(call));
      return waitForSession(deps, wait, call.params.session, Number(call.query.lastUpdated ?? 0), call);
    }),
    bind(connectCommandState, call => readCommand(deps, call.params.appk, call)),
  ];
}
