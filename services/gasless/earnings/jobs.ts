import { z } from 'zod';
import { formatTonAddress } from '../../../contracts/account/address';
import {
  GASLESS_SEND_CATEGORY,
  gaslessSendEvents,
  gaslessSendStream,
} from '../../../contracts/events/gasless-send';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { Reaction } from '../../reactions/event-reaction';
import { ATTEMPTS_FOR_A_WEEK } from '../../../contracts/ports/jobs';

export const GASLESS_COMMISSIONS = 'gasless-commissions';

export const commissionJobData = z.object({ wallet: z.string(), seqno: z.int(), bodyHash: z.string() });

/** Coins of other networks are worth nothing. */
const NETWORK = 'mainnet';

/** Starts a job for each request that is confirmed, and once more when it is so again after a fork. */
export const gaslessCommissions: Reaction = {
  name: GASLESS_COMMISSIONS,
  categories: [GASLESS_SEND_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = gaslessSendEvents.read(recorded);
    if (type !== 'GaslessSendConfirmed' || data.network !== NETWORK) return [];
    const { wallet, seqno, bodyHash } = data;
    const id = `${gaslessSendStream(data)}/${recorded.revision}`;
    return [
      { queue: GASLESS_COMMISSIONS, id, data: { wallet, seqno, bodyHash }, attempts: ATTEMPTS_FOR_A_WEEK },
    ];
  },
};

/**
 * The commissions as billing wants to know them, with the relay wallet as their merchant. They are collected: the jettons have arrived.
 * Gross is the same amount: nobody is owed the rest.
 */
export const gaslessEarnings = {
  name: 'gasless',
  categories: [GASLESS_SEND_CATEGORY],
  earned(recorded: RecordedEvent) {
    const { type, data } = gaslessSendEvents.read(recorded);
    if (type !== 'GaslessCommissionEarned' && type !== 'GaslessCommissionRetracted') return null;
    const { network, wallet, seqno, bodyHash, occurrence, relay, feeAmount, at } = data;
    const address = formatTonAddress(relay, network);
    return {
      source: 'gasless' as const,
      reference: `${network}/${wallet}/${seqno}/${bodyHash}/${occurrence}`,
      merchant: { id: address, name: `Relayer ${address}`, slug: address },
      fee_type: 'gasless' as const,
      fee_amount: feeAmount,
      gross_amount: feeAmount,
      earnedAt: type === 'GaslessCommissionRetracted' ? data.earnedAt : at,
      status: type === 'GaslessCommissionRetracted' ? ('reversed' as const) : ('collected' as const),
    };
  },
};
