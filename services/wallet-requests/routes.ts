import {
  createWalletRequest,
  listWalletRequests,
  respondToWalletRequest,
} from '../../contracts/http/connect/wallet-requests';
import { formatPosition } from '../../contracts/position';
import { WALLET_REQUESTS } from '../../projections/wallet-requests/wallet-requests';
import { bind, type Binding } from '../http/binding';
import { Reply } from '../http/call';
import { tonAccount } from '../../contracts/account/ton-account';
import { waitUntilFolded } from '../commands/wait-until-folded';
import { createRequest, respondToRequest, type Changed } from './commands';
import type { WalletRequestDeps } from './deps';
import { listAll, listIncoming, listOutgoing } from './list';
import { walletRequestStreamBinding } from './stream';
import { showRequests, type WalletRequestView } from './view';

const LISTS = { 'pending-outgoing': listOutgoing, 'pending-incoming': listIncoming, All: listAll } as const;

/** Requests between wallets to confirm who owns them. */
export function walletRequestRoutes(deps: WalletRequestDeps): Binding[] {
  const { views, waitMs } = deps;

  const show = async ({ request }: Changed): Promise<WalletRequestView> =>
    (await showRequests(deps, [request]))[0]!;
  const reached = ({ position }: Changed) => ({ 'X-Ledger-Position': formatPosition(position) });

  return [
    bind(listWalletRequests, async ({ params, query: { type }, minPosition, signal }) => {
      const account = tonAccount(params.address, params.network, '/path/network');
      await waitUntilFolded(views, [WALLET_REQUESTS.name], minPosition, waitMs, signal);
      const shown = await showRequests(deps, await LISTS[type](deps, account));
      return type === 'All' ? shown : shown.filter(({ status }) => status === 'pending');
    }),
    bind(createWalletRequest, async call => {
      const created = await createRequest(deps, call.body, call);
      return new Reply(await show(created), reached(created));
    }),
    bind(respondToWalletRequest, async call => {
      const answered = await respondToRequest(deps, call.body, call);
      return new Reply({ success: true as const, request: await show(answered) }, reached(answered));
    }),
    walletRequestStreamBinding(deps),
  ];
}
