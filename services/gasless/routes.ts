import type { Cell } from '@ton/core';
import { parseTonAddress } from '../../contracts/account/address';
import {
  tonapiGaslessConfig,
  tonapiGaslessEstimate,
  tonapiGaslessSend,
  TONAPI_ERROR_CODES,
} from '../../contracts/http/ton/gasless-tonapi';
import { gaslessEstimate, gaslessSend, getGaslessConfig } from '../../contracts/http/ton/gasless';
import { Problem } from '../../contracts/problem/problem';
import { bind, type Binding } from '../http/binding';
import { createGaslessAnswers, isRefusal, type GaslessRoutesDeps } from './answers';
import type { GaslessRefusal } from './deps';
import { COMMISSION_VALUE, commissionBody, type Quote } from './quote/quote';

/** Gasless transfers as wallets ask for them, and as clients of TonAPI do. */
export function gaslessRoutes(deps: GaslessRoutesDeps): Binding[] {
  const answers = createGaslessAnswers(deps);
  return [
    bind(getGaslessConfig, async ({ params: { network } }) => answers.config(network)),
    bind(gaslessEstimate, async ({ params: { network }, body: { data, master }, ip }) => {
      const asked = { ...data, network, master: masterOf(data.master, master) };
      const answer = await answers.estimate(asked, { ip });
      return isRefusal(answer) ? refused(answer) : { ok: true as const, ...quoteView(answer) };
    }),
    bind(gaslessSend, async ({ params: { network }, body, ip }) => {
      const answer = await answers.send({ network, ...body }, { ip });
      if (isRefusal(answer)) return refused(answer);
      const { hash, body: request } = answer;
      return { ok: true as const, hash, body_hash: request.hash().toString('hex') };
    }),
    bind(tonapiGaslessConfig, async ({ query: { network } }) => answers.config(network)),
    bind(tonapiGaslessEstimate, async ({ params: { master_id: master }, query: { network }, body, ip }) => {
      const answer = await answers.estimate({ ...body, network, master }, { ip });
      if (isRefusal(answer)) throw tonapiProblem(answer);
      return { protocol_name: 'gasless' as const, ...quoteView(answer) };
    }),
    bind(tonapiGaslessSend, async ({ query: { network }, body, ip }) => {
      const answer = await answers.send({ network, ...body }, { ip });
      if (isRefusal(answer)) throw tonapiProblem(answer);
      return { protocol_name: 'gasless' as const };
    }),
  ];
}

/** Wallets name it beside `data`, the specification within it. @throws Problem 400 when there is none, or two that differ */
function masterOf(within: string | undefined, beside: string | undefined): string {
  const master = beside ?? within;
  if (master === undefined) throw Problem.invalid('/body/master', 'the master of the jetton is missing');
  const isSame = within === undefined || parseTonAddress(within)!.raw === parseTonAddress(master)!.raw;
  if (!isSame) throw Problem.invalid('/body/data/master', 'another jetton than `/body/master`');
  return master;
}

/** Why it is refused is for the log. */
const refused = ({ error }: GaslessRefusal) => ({ ok: false as const, error });

function tonapiProblem({ error }: GaslessRefusal): Problem {
  return new Problem('gasless_refused', `The relayer answers with ${error}.`, {
    extra: { error_code: TONAPI_ERROR_CODES[error] },
  });
}

/** The transfer as it was asked for, and that of the commission after it. */
function quoteView({ wallet, jettonWallet, relay, target, commission, validUntil }: Quote) {
  const message = (value: bigint, payload: Cell, init: Cell | null) => ({
    address: jettonWallet,
    amount: value.toString(),
    payload: hexOf(payload),
    ...(init && { stateInit: hexOf(init) }),
  });
  return {
    relay_address: relay,
    commission: commission.toString(),
    from: wallet,
    valid_until: validUntil,
    messages: [
      message(target.value, target.body, target.init),
      message(COMMISSION_VALUE, commissionBody({ relay, commission }), null),
    ],
  };
}

const hexOf = (cell: Cell): string => cell.toBoc().toString('hex');
