import type { z } from 'zod';
import { formatTonAddress } from '../../contracts/account/address';
import type { walletRequest } from '../../contracts/http/connect/wallet-requests';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { WalletRequestDeps } from './deps';
import { isPastExpiry, type WalletRequest } from './decider';
import { readJson } from '../../contracts/json/read-json';

export type WalletRequestView = z.input<typeof walletRequest>;

/** Requests as clients see them: their texts decrypted, and `expired` from the moment on at which they expire. */
export async function showRequests(
  { texts, clock }: Pick<WalletRequestDeps, 'texts' | 'clock'>,
  requests: readonly WalletRequest[],
): Promise<WalletRequestView[]> {
  const now = clock().toISOString();
  const encrypted = requests.flatMap(({ message, metadata, answer }) =>
    [message, metadata, answer?.response].filter(text => !!text),
  );
  const decrypted = await texts.decryptAll(encrypted);
  const textOf = new Map(encrypted.map((text, i) => [text, decrypted[i] ?? null]));
  const shown = (text: EncryptedText | null): string | null => (text && textOf.get(text)) ?? null;

  return requests.map(request => {
    const { requestId, requestor, confirmant, network, created, expiresAt, answer } = request;
    const message = shown(request.message);
    const metadata = shown(request.metadata);
    const response = answer && shown(answer.response);
    return {
      requestId,
      requestor: formatTonAddress(requestor, network, false),
      confirmant: formatTonAddress(confirmant, network, false),
      network,
      status: request.status === 'pending' && isPastExpiry(request, now) ? 'expired' : request.status,
      created,
      expiresAt,
      ...(message !== null && { message }),
      ...(metadata !== null && { metadata: readJson(metadata) }),
      ...(answer && {
        answer: {
          at: answer.at,
          timestamp: answer.signedAt,
          ...(response !== null && { response }),
          publicKey: answer.publicKey,
          signature: answer.signature,
        },
      }),
    };
  });
}
