import { parseTonAddress } from '../../../../contracts/account/address';
import { cardAccountStream } from '../../../../contracts/events/card-account';
import { cardStream } from '../../../../contracts/events/card';
import { cardVestingStream } from '../../../../contracts/events/card-vesting';
import { cardUserId } from '../../../../contracts/events/card-user';
import {
  EXAMPLE_CARD_ACCOUNTS,
  EXAMPLE_CARD_KEYS,
  EXAMPLE_CARD_VESTING,
  exampleCard,
  type ExampleCardKey,
} from '../../../../contracts/http/card/example-cards';
import { LOCAL } from '../../../../contracts/http/local-accounts';
import { accountKey } from '../../../../contracts/network/network';
import { moveAccount } from '../../../../services/card/account/commands';
import { openAccount } from '../../../../services/card/account/opening';
import { cardAccountKind } from '../../../../services/card/account/decider';
import { changeCard, payForCard } from '../../../../services/card/card/commands';
import { cardKind, type CardOrdering } from '../../../../services/card/card/decider';
import { openPrepaidAccount, prepaidAccountId } from '../../../../services/card/prepaid/account';
import { cardVestingKind } from '../../../../services/card/vesting/decider';
import { createDepositAddresses } from '../../../../services/card/deposit/deposit-address';
import { load } from '../../../../services/commands/load';
import type { ProgramDeps, Worker } from '../../feature';
import { masterKey, personalTexts } from '../../personal-texts';
import { LOCAL_NETWORK, localMetadata, recordingLocally } from './local-network';

const network = LOCAL_NETWORK;

/** Accounts and cards of Alice on the local network, so that the examples of endpoints have something to show. */
async function openLocalCards(deps: ProgramDeps, fiatCurrency: string): Promise<void> {
  const { config, handle, clock, engines } = deps;
  const store = engines.store;
  const userId = cardUserId(network, LOCAL.aliceKey);
  const opening = {
    handle,
    clock,
    fiatCurrency,
    isSandbox: () => true,
    depositAddress: createDepositAddresses(await masterKey(config)),
  };
  const wallets = { ton: parseTonAddress(LOCAL.alice)!.raw, solana: LOCAL.solanaAlice };
  for (const chain of ['ton', 'solana'] as const)
    await openAccount(opening, { userId, network, chain, address: wallets[chain] });
  const account = await load(store, cardAccountKind, cardAccountStream(EXAMPLE_CARD_ACCOUNTS.used));
  await topUpOnce(deps, account?.balance.posted === '0');
  for (const key of EXAMPLE_CARD_KEYS) await makeCard(deps, key, { userId, fiatCurrency });
  await openVesting(deps, userId);
}

/** Which pays to the account that it is paid for from: there is no other one in its currency. */
async function openVesting(deps: ProgramDeps, userId: string): Promise<void> {
  const stream = cardVestingStream(EXAMPLE_CARD_VESTING);
  if (await load(deps.engines.store, cardVestingKind, stream)) return;
  const metadata = localMetadata(deps);
  const owner = { chain: 'ton', network, address: parseTonAddress(LOCAL.alice)!.raw } as const;
  const accountId = EXAMPLE_CARD_ACCOUNTS.used;
  const name = await (await deps.use(personalTexts)).encrypt(userId, 'Alice');
  await deps.handle(cardVestingKind, stream, {
    type: 'open',
    vesting: {
      vestingId: EXAMPLE_CARD_VESTING,
      network,
      userId,
      creatorAccountId: accountId,
      owner,
      beneficiary: { accountId, userId, owner, name },
      currency: { ticker: 'TON', decimals: 9, tokenContract: null },
      unlockAmountPerPeriod: '1000000000',
      unlockPeriodSeconds: 2_592_000,
      startPaymentsAt: metadata.now,
      sandbox: true,
    },
    all: 0,
    hasPlace: true,
    metadata,
  });
}

async function topUpOnce(deps: ProgramDeps, isEmpty: boolean): Promise<void> {
  if (!isEmpty) return;
  const metadata = localMetadata(deps);
  const account = { chain: 'ton', network, address: parseTonAddress(LOCAL.alice)!.raw } as const;
  await moveAccount({ ...deps, store: deps.engines.store }, EXAMPLE_CARD_ACCOUNTS.used, {
    type: 'topUp',
    transactionId: 'top-up/local',
    entryId: 'local',
    cardId: null,
    amount: '25000000000',
    chain: { account, hash: 'local', lt: null },
    occurredAt: metadata.now,
    metadata,
  });
}

async function makeCard(
  deps: ProgramDeps,
  key: ExampleCardKey,
  { userId, fiatCurrency }: { readonly userId: string; readonly fiatCurrency: string },
): Promise<void> {
  const cardId = exampleCard(key);
  const store = deps.engines.store;
  if (await load(store, cardKind, cardStream(cardId))) return;
  const metadata = localMetadata(deps);
  const isPrepaid = key === 'prepaid';
  const accountId = isPrepaid ? prepaidAccountId(userId, cardId) : EXAMPLE_CARD_ACCOUNTS.used;
  const card: CardOrdering = {
    cardId,
    accountId,
    network,
    userId,
    fiatCurrency,
    type: isPrepaid ? 'PREPAID' : 'DEBIT',
    schema: 'visa',
    design: null,
    productId: 'virtual',
    personalizationCode: 'standard',
    fee: isPrepaid ? '0' : '500000000',
    delivery: null,
    replaces: null,
    sandbox: true,
  };
  if (isPrepaid) {
    const owner = accountKey({ chain: 'ton', network, address: parseTonAddress(LOCAL.alice)!.raw });
    await openPrepaidAccount(deps, { owner, tzOffset: 0 }, card, metadata);
  }
  await changeCard(deps, cardId, { type: 'order', card, all: 0, open: 0, metadata });
  if (key === 'unpaid') return;
  await payForCard({ ...deps, store }, cardId, metadata);
  const issued = { issuerCardId: `local/${key}`, lastFourDigits: lastFourDigitsOf(key) };
  await changeCard(deps, cardId, { type: 'recordIssued', ...issued, metadata });
  if (key !== 'frozen') return;
  const change = { by: 'holder', reason: 'by its holder', occurredAt: metadata.now, metadata } as const;
  await changeCard(deps, cardId, { type: 'freeze', ...change });
  await changeCard(deps, cardId, { type: 'recordFrozen', ...change });
}

/** Each card has its own. */
const lastFourDigitsOf = (key: ExampleCardKey): string => String(4242 + EXAMPLE_CARD_KEYS.indexOf(key));

/** @param currencyOf of cards */
export function localCards(currencyOf: (deps: ProgramDeps) => string): Worker {
  return recordingLocally(deps => openLocalCards(deps, currencyOf(deps)), 'local cards could not be opened');
}
