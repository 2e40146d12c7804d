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
import { createGaslessAnswers, type GaslessRoutesDeps } from './answers';
import { isRefusal, type GaslessRefusal } from './deps';

/** Gasless transfers as wallets ask for them, and as clients of TonAPI do. */
export function gaslessRoutes(deps: GaslessRoutesDeps): Binding[] {
  const answers = createGaslessAnswers(deps);
  return [
    bind(getGaslessConfig, ({ params: { network } }) => answers.config(network)),
    bind(gaslessEstimate, async ({ params: { network }, body: { data, master }, ip }) => {
      const asked = { ...data, network, master: masterOf(data.master, master) };
      const answer = await answers.estimate(asked, { ip });
      return isRefusal(answer) ? refused(answer) : { ok: true as const, ...answer };
    }),
    bind(gaslessSend, async call => {
      const answer = await answers.send({ network: call.params.network, ...call.body }, call);
      if (isRefusal(answer)) return refused(answer);
      const { hash, body: request } = answer;
      return { ok: true as const, hash, body_hash: request.hash().toString('hex') };
    }),
    bind(tonapiGaslessConfig, ({ query: { network } }) => answers.config(network)),
    bind(tonapiGaslessEstimate, async ({ params: { master_id: master }, query: { network }, body, ip }) => {
      const answer = await answers.estimate({ ...body, network, master }, { ip });
      if (isRefusal(answer)) throw tonapiProblem(answer);
      return { protocol_name: 'gasless' as const, ...answer };
    }),
    bind(tonapiGaslessSend, async call => {
      const answer = await answers.send({ network: call.query.network, ...call.body }, call);
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

function tonapiProblem({ error, isUnsupported }: GaslessRefusal): Problem {
  return new Problem('gasless_refused', `The relayer answers with ${error}.`, {
    extra: { error_code: TONAPI_ERROR_CODES[isUnsupported ? 'unsupported' : error] },
  });
}
