import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  solanaAccount: { '1': { balance: '18947686976', address: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu' } },
  solanaTokens: {
    '1': [
      {
        address: '6AmHyeGqUjPzwBtjvVN9hA3u2thxQS5ozXZFnity5pDV',
        symbol: 'MLS-LOCAL',
        name: 'Local Miles (no value)',
        decimals: 6,
        chainId: 101,
        amount: '970238090',
        uiAmount: 970.23809,
        uiAmountString: '970.23809',
        logoURI: null,
        tags: null,
        extensions: null,
        mintAuthority: 'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk',
        freezeAuthority: null,
        supply: '4000000000',
        isInitialized: true,
      },
      {
        address: 'E5DESersvht8SE1D84wUbSTxvfZU7EuXgFBzTVzTfEfV',
        symbol: 'PTS-LOCAL',
        name: 'Local Points (no value)',
        decimals: 2,
        chainId: 101,
        amount: '98000',
        uiAmount: 980,
        uiAmountString: '980',
        logoURI: null,
        tags: null,
        extensions: null,
        mintAuthority: 'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk',
        freezeAuthority: null,
        supply: '400000',
        isInitialized: true,
      },
    ],
  },
  solanaTransactions: {
    '1': [
      {
        type: 'TRANSFER',
        source: 'SYSTEM_PROGRAM',
        description:
          '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu transferred 0.050000144 SOL to 2xj1M4MQV2arDzHa2dVNWYZjLTzUqqQL4FWTHYtEPXpf.',
        feePayer: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
        signature: '5KHXBKadR4qKc8V5gm7gL3MYSLYeNFFtaCdTfKQpDchydXLB6VWJFiYrNgz7KEJVq2ZCmjgEoy5aJ1JC21E38tEP',
        fee: 5000,
        slot: 136,
        timestamp: 1795735901,
        tokenTransfers: [],
        nativeTransfers: [
          {
            fromUserAccount: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
            toUserAccount: '2xj1M4MQV2arDzHa2dVNWYZjLTzUqqQL4FWTHYtEPXpf',
            amount: 50000144,
          },
        ],
        accountData: [
          {
            account: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
            nativeBalanceChange: -50005144,
            tokenBalanceChanges: [],
          },
          { account: '11111111111111111111111111111111', nativeBalanceChange: 0, tokenBalanceChanges: [] },
        ],
        transactionError: null,
        instructions: [
          {
            accounts: [
              '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
              '2xj1M4MQV2arDzHa2dVNWYZjLTzUqqQL4FWTHYtEPXpf',
            ],
            data: '3Bxs43h3s12qecMd',
            programId: '11111111111111111111111111111111',
            innerInstructions: [],
          },
          {
            accounts: [],
            data: 'aagc1Dnt',
            programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
            innerInstructions: [],
          },
        ],
      },
      {
        type: 'TRANSFER',
        source: 'SOLANA_PROGRAM_LIBRARY',
        description:
          '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu transferred 20.6 EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v to 4P1avVnaZApjcvVxxDkvZuDN3zX4XPkgbFByEbxobXLE.',
        feePayer: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
        signature: '5ezGh42ieyndw6xHzB253GPUsxUxDkVbYTPEgLpwnmfXyMp14PfmW1gmxMLmt5h8BUQScskwmiymSfGpx17hyEta',
        fee: 5000,
        slot: 111,
        timestamp: 1795735881,
        tokenTransfers: [
          {
            fromTokenAccount: 'EaA4NU8LDyxygnGipay2ZeQJd42fyuWewxyK5fRmQCo2',
            toTokenAccount: 'HdvamafCvjKLX9CvbretWhTYJX6V4XDNDjPyhsWeFGom',
            fromUserAccount: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
            toUserAccount: '4P1avVnaZApjcvVxxDkvZuDN3zX4XPkgbFByEbxobXLE',
            mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
            tokenStandard: 'Fungible',
            tokenAmount: 20.6,
            rawAmount: '20600000',
            kind: 'transfer',
          },
        ],
        nativeTransfers: [],
        accountData: [
          {
            account: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
            nativeBalanceChange: -5000,
            tokenBalanceChanges: [],
          },
          {
            account: 'EaA4NU8LDyxygnGipay2ZeQJd42fyuWewxyK5fRmQCo2',
            nativeBalanceChange: 0,
            tokenBalanceChanges: [
              {
                userAccount: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
                tokenAccount: 'EaA4NU8LDyxygnGipay2ZeQJd42fyuWewxyK5fRmQCo2',
                mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
                rawTokenAmount: {
                  amount: -20600000,
                  tokenAmount: '-20600000',
                  decimals: 6,
                  uiAmount: -20.6,
                  uiAmountString: '-20.6',
                },
              },
            ],
          },
        ],
        transactionError: null,
        instructions: [
          {
            accounts: [
              'EaA4NU8LDyxygnGipay2ZeQJd42fyuWewxyK5fRmQCo2',
              'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
            ],
            data: 'iYwMbhsZuumuo',
            programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
            innerInstructions: [],
          },
          {
            accounts: [],
            data: '4CXLrviNvL',
            programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
            innerInstructions: [],
          },
        ],
      },
    ],
    '2': [
      {
        type: 'TRANSFER',
        source: 'SYSTEM_PROGRAM',
        description:
          'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk transferred 20 SOL to 2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu.',
        feePayer: 'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk',
        signature: '5fjzgf5KexCRp5G3cn4KNMuEAzcg8eMDgNLJEViNJJZhKYtc9qwNK3asBchGtFCuM745T62goJ8vbiBJiEKWGsuA',
        fee: 5000,
        slot: 5,
        timestamp: 1795735830,
        tokenTransfers: [],
        nativeTransfers: [
          {
            fromUserAccount: 'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk',
            toUserAccount: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
            amount: 20000000000,
          },
        ],
        accountData: [
          {
            account: 'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk',
            nativeBalanceChange: -20000005000,
            tokenBalanceChanges: [],
          },
          {
            account: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
            nativeBalanceChange: 20000000000,
            tokenBalanceChanges: [],
          },
        ],
        transactionError: null,
        instructions: [
          {
            accounts: [
              'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk',
              '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
            ],
            data: '3Bxs3zzF3MsyUPks',
            programId: '11111111111111111111111111111111',
            innerInstructions: [],
          },
          {
            accounts: [],
            data: '7fjdKebikiXGKRjVr9DDhwQQkHUEj',
            programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
            innerInstructions: [],
          },
        ],
      },
    ],
  },
  solanaTransactionStatus: {
    '1': { slot: 136, confirmations: null, err: null, confirmationStatus: 'finalized', status: 'confirmed' },
  },
  solanaTransactionFees: { '1': { value: 5000 } },
};
