import { createCardVesting, depositToCardVesting } from '../../../contracts/http/card/vesting';
import type { Position } from '../../../contracts/position';
import { CARD_VESTINGS } from '../../../projections/card/vestings';
import { bind, type Binding } from '../../http/binding';
import type { CardMoneyRoutesDeps } from '../money-deps';
import { cardCaller, type CardCaller } from '../tokens/caller';
import { createVesting } from './create';
import { depositToVesting, expectVesting } from './deposit';
import { vestingViews } from './vesting-view';

/** Vesting accounts, by their creators: these endpoints are ours. */
export function cardVestingRoutes(deps: CardMoneyRoutesDeps): Binding[] {
  const answer = async (caller: CardCaller, id: string, position: Position | null) => {
    if (position !== null) await deps.views.waitForPosition(CARD_VESTINGS.name, position, deps.waitMs);
    const [account] = await vestingViews(deps.texts, [await expectVesting(deps, caller, id)]);
    return { ok: true as const, account: account! };
  };
  return [
    bind(createCardVesting, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const { vestingId, position } = await createVesting(deps, caller, call.body);
      return answer(caller, vestingId, position);
    }),
    bind(depositToCardVesting, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const position = await depositToVesting(deps, caller, call.body);
      return answer(caller, call.body.id, position);
    }),
  ];
}
