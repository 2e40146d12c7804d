import {
  CARD_ICON_PATH,
  checkCardInvitation,
  connectCardWallet,
  getCardIcon,
  getCardManifest,
} from '../../contracts/http/card/enrolment';
import {
  confirmCardEmail,
  confirmCardPhone,
  startCardEmail,
  startCardKyc,
  startCardPhone,
} from '../../contracts/http/card/own-user';
import { getCardAccountState, getCardIban, getCardProfile } from '../../contracts/http/card/user';
import { cardNetworkOf } from '../../contracts/http/card/mount';
import type { CardUser } from '../../projections/card/fold-user';
import { bind, type Binding } from '../http/binding';
import type { CardDeps } from './deps';
import { enrolCardUser } from './enrolment/enrol';
import { CARD_ICON } from './enrolment/icon';
import { cardWebOrigin, expectCardOn } from './enrolment/web-address';
import { cardCaller } from './tokens/caller';
import { confirmContactCode, requestContactCode, startKyc, type RequestedCode } from './user/commands';
import { profileOf } from './user/profile';
import { stateView } from './user/state-view';
import { cardUpdatesBinding, type CardStreamOptions } from './user/stream';

/** Enrolment, and what card holders are. */
export function cardUserRoutes(deps: CardDeps, stream: CardStreamOptions): Binding[] {
  const ok = (user: CardUser) => ({ ok: true as const, state: stateView(user) });
  const requested = ({ expiresAt, code }: RequestedCode) => ({
    ok: true as const,
    expiresAt,
    sandbox: { code },
  });
  return [
    bind(getCardManifest, async call => {
      const origin = cardWebOrigin(deps, expectCardOn(deps, call), call);
      return { name: `Cards of ${deps.instanceId}`, url: origin, iconUrl: `${origin}${CARD_ICON_PATH}` };
    }),
    bind(getCardIcon, async () => CARD_ICON),
    bind(connectCardWallet, async call => {
      const network = expectCardOn(deps, call);
      const domains = [new URL(cardWebOrigin(deps, network, call)).host];
      const token = await enrolCardUser(deps, call.body, { network, domains, ip: call.ip });
      return { ok: true as const, token };
    }),
    bind(checkCardInvitation, async call => {
      const network = cardNetworkOf(call);
      return { allowed: deps.isOn(network) && call.body.network === `ton-${network}` };
    }),
    bind(getCardAccountState, async call => ({
      ...ok((await cardCaller(deps, call, call.body.token)).user),
      sandbox: true as const,
    })),
    bind(getCardProfile, async call => {
      const { user } = await cardCaller(deps, call, call.body.token);
      return { ok: true as const, data: await profileOf(deps.texts, user) };
    }),
    bind(getCardIban, async call => {
      await cardCaller(deps, call, call.body.token);
      return { ok: true as const, enabled: false as const };
    }),
    bind(startCardPhone, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      return requested(await requestContactCode(deps, caller, call, 'phone', call.body.phone));
    }),
    bind(confirmCardPhone, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      return ok(await confirmContactCode(deps, caller, 'phone', call.body.code));
    }),
    bind(startCardEmail, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      return requested(await requestContactCode(deps, caller, call, 'email', call.body.email));
    }),
    bind(confirmCardEmail, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      return ok(await confirmContactCode(deps, caller, 'email', call.body.code));
    }),
    bind(startCardKyc, async call => ok(await startKyc(deps, await cardCaller(deps, call, call.body.token)))),
    cardUpdatesBinding(deps, stream),
  ];
}
