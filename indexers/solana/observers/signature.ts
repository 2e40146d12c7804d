import type { Json } from '../../../contracts/json';
import type { Endpoints } from '../endpoints';

/** The status of a transaction, null when no node knows it, be it lost or still on its way. */
export async function observeSignature(
  endpoints: Endpoints,
  signature: string,
): Promise<{ height: number; data: Json }> {
  const { context, value } = await endpoints.ask(({ connection }) =>
    connection.getSignatureStatuses([signature], { searchTransactionHistory: true }),
  );
  const [status] = value;
  if (!status) return { height: context.slot, data: null };
  const { slot, confirmations, err, confirmationStatus = null } = status;
  return { height: context.slot, data: { slot, confirmations, err: err as Json, confirmationStatus } };
}
