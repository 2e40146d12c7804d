import { Address } from '@ton/core';
import { z } from 'zod';
import type { TonNetwork } from '../../../contracts/network/network';
import { stakingSchemas } from './staking-schemas';

/**
 * What the public wallet app reads of each answer, as a statement of its own: nothing here is taken from `contracts/http`, so
 * that a change there cannot hide that the app would refuse, or misread, an answer. A key that the app requires is required
 * here, and one that it refuses as null is not nullable.
 */
export function appSchemas(network: TonNetwork) {
  const decimal = z.string().regex(/^\d+$/);
  const signed = z.string().regex(/^-?\d+$/);
  const lt = decimal;

  /** Friendly, and of the network: apps compare and parse it. */
  const address = z.string().refine(text => {
    if (!Address.isFriendly(text)) return false;
    return Address.parseFriendly(text).isTestOnly === (network === 'testnet');
  }, 'a friendly address of the network');
  const cell = z.base64();
  const prices = z.record(z.string(), z.number());
  const differences = z.record(z.string(), z.string());

  const accountStatus = z.enum(['uninitialized', 'frozen', 'active', 'non-existing']);
  const externalAddress = z.object({ bits: z.number(), data: z.string() }).nullable();
  const message = z.object({
    body: cell,
    info: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('internal'),
        value: decimal,
        dest: address,
        src: address,
        createdLt: lt,
        fwdFee: decimal,
        ihrFee: decimal,
        bounced: z.boolean(),
        bounce: z.boolean(),
        ihrDisabled: z.boolean(),
        createdAt: z.number(),
        extraCurrency: z.record(z.string(), decimal).optional(),
      }),
      z.object({
        type: z.literal('external-in'),
        dest: address,
        src: externalAddress,
        importFee: decimal,
      }),
      z.object({ type: z.literal('external-out'), dest: externalAddress }),
    ]),
    init: z
      .object({
        splitDepth: z.number().nullish(),
        code: z.string().nullable(),
        data: z.string().nullable(),
        special: z.object({ tick: z.boolean(), tock: z.boolean() }).nullish(),
      })
      .nullable(),
  });

  const storedTransaction = z.object({
    address,
    lt,
    hash: z.string().min(1),
    prevTransaction: z.object({ lt, hash: z.string() }),
    time: z.int(),
    outMessagesCount: z.int(),
    oldStatus: accountStatus,
    newStatus: accountStatus,
    fees: decimal,
    update: z.object({ oldHash: z.string(), newHash: z.string() }),
    inMessage: message.nullable(),
    outMessages: z.array(message),
    parsed: z.object({
      seqno: z.int().nullable(),
      body: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('comment'), comment: z.string() }),
          z.object({ type: z.literal('payload') }),
        ])
        .nullable(),
      status: z.enum(['success', 'failed', 'pending']),
      dest: z.string().nullable(),
      kind: z.enum(['out', 'in']),
      amount: signed,
      resolvedAddress: address,
      bounced: z.boolean(),
      mentioned: z.array(z.string()),
    }),
    operation: z.object({
      address,
      comment: z.string().optional(),
      items: z
        .array(z.object({ kind: z.enum(['ton', 'token']), amount: signed }))
        .min(1)
        .refine(
          items => items.findLastIndex(({ kind }) => kind === 'token') <= 0,
          'the item of a token comes first',
        ),
      op: z.object({ res: z.string(), options: z.unknown() }).partial({ options: true }).optional(),
    }),
  });

  const solanaTransaction = z.object({
    ...textFields('description', 'type', 'source', 'feePayer', 'signature'),
    fee: z.number(),
    slot: z.number(),
    timestamp: z.number(),
    tokenTransfers: z.array(
      z.object({
        ...textFields('fromTokenAccount', 'toTokenAccount', 'fromUserAccount', 'mint', 'tokenStandard'),
        tokenAmount: z.number(),
      }),
    ),
    nativeTransfers: z.array(
      z.object({ ...textFields('fromUserAccount', 'toUserAccount'), amount: z.number() }),
    ),
    accountData: z.array(
      z.object({
        account: z.string(),
        nativeBalanceChange: z.number(),
        tokenBalanceChanges: z.array(
          z.object({
            ...textFields('userAccount', 'tokenAccount'),
            rawTokenAmount: z
              .object({
                amount: z.number().optional(),
                decimals: z.number().optional(),
                uiAmount: z.number().optional(),
                uiAmountString: z.string().optional(),
              })
              .optional(),
          }),
        ),
      }),
    ),
    transactionError: z.string().nullable(),
    instructions: z.array(
      z.object({
        accounts: z.array(z.string()),
        ...textFields('data', 'programId'),
        innerInstructions: z.array(z.unknown()),
      }),
    ),
  });
  const commonTransaction = z.discriminatedUnion('type', [
    z.object({ type: z.literal('ton'), data: storedTransaction }),
    z.object({ type: z.literal('solana'), data: solanaTransaction }),
  ]);
  const tonCursor = z.object({ lt: lt.optional(), hash: z.string().optional() });

  const hint = z.object({
    balance: decimal,
    price: z
      .object({
        prices: prices.optional(),
        diff24h: differences.optional(),
        diff7d: differences.optional(),
        diff30d: differences.optional(),
      })
      .optional(),
    walletAddress: z.object({
      address,
      isScam: z.boolean(),
      isWallet: z.boolean(),
      name: z.string().optional(),
      icon: z.string().optional(),
    }),
    jetton: z.object({
      address,
      name: z.string(),
      symbol: z.string(),
      image: z.string(),
      decimals: z.number(),
      verification: z.enum(['whitelist', 'blacklist', 'none']),
      customPayloadApiUri: z.string().optional(),
    }),
    extensions: z.array(z.string()).optional(),
  });

  const metadata = z.object({
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    description: z.string().nullish(),
    decimals: z.union([z.number(), z.string()]).nullish(),
    originalImage: z.string().nullish(),
    image: z.object({ blurhash: z.string(), preview256: z.string() }).nullish(),
  });
  const poolAsset = z.discriminatedUnion('type', [
    z.object({ type: z.literal('jetton'), address, metadata }),
    z.object({ type: z.literal('native') }),
  ]);

  return {
    historyV1: z.object({ transactions: z.array(storedTransaction) }),
    historyV2: z.object({
      data: z.array(commonTransaction),
      hasMore: z.boolean(),
      cursor: z.object({ ton: tonCursor.optional() }).optional(),
    }),
    historyV3: z.object({
      data: z.array(commonTransaction),
      hasMore: z.boolean(),
      cursor: z
        .object({
          ton: tonCursor.optional(),
          solana: z.object({ before: z.string().nullish() }).optional(),
          solanaToken: z.object({ before: z.string().nullish(), mint: z.string().optional() }).optional(),
        })
        .optional(),
    }),
    transactionStatus: z
      .object({
        found: z.boolean(),
        inProgress: z.boolean().optional(),
        lt: z.string().optional(),
        timestamp: z.number().optional(),
      })
      .nullable(),
    config: z.object({
      wallets: z.object({ restrict_send: z.array(z.string()), spam: z.array(z.string()) }),
    }),
    walletConfig: z.object({ pools: z.array(z.string()), recommended: z.string() }),
    contractInfo: z
      .object({
        name: z.string(),
        kind: z
          .enum([
            'wallet',
            'jetton-wallet',
            'jetton-master',
            'nft-item',
            'card',
            'jetton-card',
            'dedust-vault',
          ])
          .optional(),
        version: z.string().nullish(),
      })
      .nullable(),
    contractMetadata: z.object({
      seqno: z.number(),
      jettonMaster: z
        .object({
          totalSupply: decimal,
          mintalbe: z.boolean(),
          owner: address.nullable(),
          content: z
            .discriminatedUnion('type', [
              z.object({ type: z.literal('offchain'), link: z.string() }),
              z.object({ type: z.literal('onchain') }),
            ])
            .optional(),
        })
        .optional(),
      jettonWallet: z.object({ balance: decimal, owner: address, master: address, address }).optional(),
    }),
    latestElections: z.object({ elections: ascending }),
    election: z.object({
      election: z.object({
        unfreezeAt: z.number(),
        stakeHeld: z.number(),
        bonuses: decimal,
        totalStake: decimal,
      }),
    }),
    /** A percentage, parsed as a floating-point number. */
    apy: z.object({ apy: z.string().refine(text => Number.isFinite(parseFloat(text))) }),

    hints: z.object({ hints: z.array(z.string()), now: z.number() }),
    /** Looked up by the master and by the jetton wallet. */
    fullHints: z
      .object({ hints: z.array(hint), addressesIndex: z.record(z.string(), z.int()) })
      .refine(
        ({ hints, addressesIndex }) =>
          hints.every(({ jetton, walletAddress }, place) =>
            [jetton, walletAddress].every(of => addressesIndex[of.address] === place),
          ),
        'the index has every master and every jetton wallet',
      ),
    extraHints: z.array(
      z.object({
        amount: decimal,
        preview: z.object({
          id: z.number(),
          symbol: z.string(),
          decimals: z.number(),
          image: z.string().optional(),
        }),
      }),
    ),
    jettonMetadata: metadata.extend({
      assets: z.tuple([poolAsset, poolAsset]).optional(),
      pool: z.enum(['dedust', 'ston-fi']).optional(),
    }),
    jettonWalletAddress: z.object({ address }),
    jettonWallet: z.object({ balance: decimal, owner: address, master: address }),
    jettonTransfers: z.array(
      z.object({
        query_id: z.string(),
        source: address,
        destination: address,
        amount: decimal,
        source_wallet: z.string(),
        jetton_master: address,
        transaction_hash: z.string(),
        transaction_lt: lt,
        transaction_now: z.number(),
        transaction_aborted: z.boolean(),
        response_destination: z.string(),
        custom_payload: z.string().nullable(),
        forward_ton_amount: decimal,
        forward_payload: z.string().nullable(),
        trace_id: z.string(),
      }),
    ),
    jettonRates: prices.nullish(),
    price: z.object({
      price: z.object({ usd: z.number() }),
      rates: prices,
      solanaPrice: z.object({ usd: z.number() }).optional(),
      usdyPrice: z.object({ usd: z.number() }).optional(),
      xaut0Price: z.object({ usd: z.number() }).optional(),
    }),
    // The app has no schema; it shows `rates.TON.diff24h.USD`, where it is.
    rates: z.object({
      rates: z.record(
        z.string(),
        z.object({ prices, diff24h: differences, diff7d: differences, diff30d: differences }),
      ),
    }),
    tokenInfo: z.object({
      description: z
        .object({
          title: z.string(),
          description: z.string(),
          items: z.array(z.object({ type: z.literal('link'), title: z.string(), url: z.string() })),
        })
        .nullish(),
      data: z.object({
        ...textFields('name', 'symbol', 'slug'),
        ...numberFields('_id', 'is_active', 'is_fiat', 'cmc_rank', 'num_market_pairs'),
        ...numberFields('circulating_supply', 'total_supply'),
        max_supply: z.number().nullish(),
        date_added: z.coerce.date(),
        last_updated: z.coerce.date(),
        tags: z.array(z.object(textFields('slug', 'name', 'category'))),
        quote: z.record(
          z.string(),
          z.object({
            ...numberFields('price', 'volume_24h', 'volume_change_24h', 'market_cap', 'market_cap_dominance'),
            ...numberFields('fully_diluted_market_cap', 'percent_change_1h', 'percent_change_24h'),
            ...numberFields('percent_change_7d', 'percent_change_30d'),
            last_updated: z.coerce.date(),
          }),
        ),
      }),
    }),
    mintlessJettons: z.array(
      z.object({
        balance: decimal,
        walletAddress: z.object({
          address,
          name: z.string().nullish(),
          icon: z.string().nullish(),
          isScam: z.boolean(),
          isWallet: z.boolean(),
        }),
        price: z
          .object({
            prices: prices.nullish(),
            diff24h: differences.nullish(),
            diff7d: differences.nullish(),
            diff30d: differences.nullish(),
          })
          .nullish(),
        jetton: z.object({
          address,
          name: z.string(),
          symbol: z.string(),
          decimals: z.number(),
          image: z.string(),
          verification: z.string(),
          customPayloadApiUri: z.string().nullish(),
        }),
        extensions: z.array(z.string()),
        lock: z.object({ amount: decimal, till: z.number() }).nullish(),
      }),
    ),
    ...stakingSchemas(address),
    jettonPayload: z.object({ customPayload: cell.nullish(), stateInit: cell.nullish() }),
    nfts: z.object({
      data: z.object({ items: z.array(z.looseObject({})), cursor: z.string().nullish() }),
    }),
  };
}

/** Ids, of which the app takes the last five. */
const ascending = z
  .array(z.int())
  .refine(ids => ids.every((id, place) => place === 0 || ids[place - 1]! < id), 'ascending');

const textFields = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map(name => [name, z.string()])) as Record<Name, z.ZodString>;

const numberFields = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map(name => [name, z.number()])) as Record<Name, z.ZodNumber>;
