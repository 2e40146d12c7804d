import { parseUnits } from './decimal';

/** How addresses of a currency are written: `./addresses`. */
export type AddressFormat =
  | 'bitcoin'
  | 'bitcoin_cash'
  | 'litecoin'
  | 'dogecoin'
  | 'tron'
  | 'ripple'
  | 'monero'
  | 'evm'
  | 'ton'
  | 'solana';

export interface Currency {
  readonly ticker: string;
  readonly name: string;
  readonly fullName: string;
  /** The native coin's ticker in upper case, or the token standard. */
  readonly protocol: string;
  readonly blockchain: string;
  readonly decimals: number;
  /** Price in micro-dollars for 1. */
  readonly price: bigint;
  /** Of a payout, in smallest units. */
  readonly networkFee: bigint;
  readonly payinConfirmations: number;
  readonly addressFormat: AddressFormat;
  readonly contractAddress?: string;
  readonly extraIdName?: string;
  readonly enabled: boolean;
  readonly enabledFrom: boolean;
  readonly enabledTo: boolean;
  readonly fixRateEnabled: boolean;
}

type Chain = Pick<Currency, 'blockchain' | 'addressFormat' | 'payinConfirmations'>;
type Switches = Partial<
  Pick<Currency, 'extraIdName' | 'enabled' | 'enabledFrom' | 'enabledTo' | 'fixRateEnabled'>
>;

const chain = (
  blockchain: string,
  payinConfirmations: number,
  addressFormat = blockchain as AddressFormat,
): Chain => ({ blockchain, payinConfirmations, addressFormat });

const BITCOIN = chain('bitcoin', 2);
const ETHEREUM = chain('ethereum', 7, 'evm');
const BSC = chain('binance_smart_chain', 15, 'evm');
const POLYGON = chain('polygon', 128, 'evm');
const TRON = chain('tron', 19);
const TON = chain('ton', 10);
const SOLANA = chain('solana', 1);

/** Of prices, which are in micro-dollars. */
const PRICE_DECIMALS = 6;

const coin = (
  name: string,
  fullName: string,
  on: Chain,
  decimals: number,
  dollars: string,
  networkFee: bigint,
  switches: Switches = {},
): Currency => ({
  enabled: true,
  enabledFrom: true,
  enabledTo: true,
  fixRateEnabled: true,
  ...on,
  ticker: name.toLowerCase(),
  name,
  fullName,
  protocol: name,
  decimals,
  price: parseUnits(dollars, PRICE_DECIMALS)!,
  networkFee,
  ...switches,
});

const token = (
  ticker: string,
  name: string,
  fullName: string,
  protocol: string,
  on: Chain,
  contractAddress: string,
  decimals: number,
  networkFee: bigint,
): Currency => ({
  ...coin(name, fullName, on, decimals, '1', networkFee),
  ticker,
  protocol,
  contractAddress,
});

const CURRENCIES: readonly Currency[] = [
  coin('BTC', 'Bitcoin', BITCOIN, 8, '97250.5', 12_000n),
  coin('ETH', 'Ethereum', ETHEREUM, 18, '3415.25', 671_000_000_000_000n),
  coin('BNB', 'BNB Chain', BSC, 18, '655.4', 150_000_000_000_000n),
  coin('LTC', 'Litecoin', chain('litecoin', 6), 8, '101.37', 100_000n),
  coin('BCH', 'Bitcoin Cash', chain('bitcoin_cash', 6), 8, '452.8', 10_000n, { enabledTo: false }),
  coin('DOGE', 'Dogecoin', chain('dogecoin', 12), 8, '0.3271', 150_000_000n, { fixRateEnabled: false }),
  coin('TRX', 'Tron', TRON, 6, '0.2415', 1_100_000n),
  coin('XRP', 'Ripple', chain('ripple', 1), 6, '2.4103', 250_000n, { extraIdName: 'Destination Tag' }),
  coin('POL', 'Polygon', POLYGON, 18, '0.4712', 20_000_000_000_000_000n, { enabledFrom: false }),
  coin('XMR', 'Monero', chain('monero', 10), 12, '205.1', 200_000_000n, {
    enabled: false,
    enabledFrom: false,
    enabledTo: false,
    fixRateEnabled: false,
  }),
  coin('TON', 'Toncoin', TON, 9, '3.0125', 10_000_000n),
  coin('SOL', 'Solana', SOLANA, 9, '150.75', 1_000_000n),
  token(
    'usdt20',
    'USDT',
    'Tether USD (ERC20)',
    'ERC20',
    ETHEREUM,
    '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    6,
    2_850_000n,
  ),
  token(
    'usdtrx',
    'USDT',
    'Tether USD (TRC20)',
    'TRC20',
    TRON,
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    6,
    2_200_000n,
  ),
  token(
    'usdtbsc',
    'USDT',
    'Tether USD (BEP20)',
    'BEP20',
    BSC,
    '0x55d398326f99059fF775485246999027B3197955',
    18,
    310_000_000_000_000_000n,
  ),
  token(
    'usdtpolygon',
    'USDT',
    'Tether USD (Polygon)',
    'MATIC',
    POLYGON,
    '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    6,
    40_000n,
  ),
  token(
    'usdc',
    'USDC',
    'USD Coin (ERC20)',
    'ERC20',
    ETHEREUM,
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    6,
    2_900_000n,
  ),
  token(
    'usdton',
    'USDT',
    'Tether USD (TON)',
    'TON',
    TON,
    'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    6,
    150_000n,
  ),
  token(
    'usdcsol',
    'USDC',
    'USD Coin (Solana)',
    'SOL',
    SOLANA,
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    6,
    120_000n,
  ),
];

const byTicker = new Map(CURRENCIES.map(currency => [currency.ticker, currency]));

export function currencyOf(ticker: string): Currency | undefined {
  return byTicker.get(ticker);
}

export function currencies(): readonly Currency[] {
  return CURRENCIES;
}
