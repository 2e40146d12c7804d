/**
 * Accounts and tokens of the local mainnets, which the examples of endpoints use, so that these answer with something on a
 * program that was only just started. Their keys are public; `GET /devnet` lists them.
 */
export const LOCAL = {
  /** Bounceable, and as wallets show it. */
  alice: 'EQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZO2u',
  aliceWallet: 'UQAhppNlY_nyk7XStz1VKudso--3IQ3KSsCSpw2-aB3WZLBr',
  aliceKey: 'ee2cbebf995c60fffc143de607a40ea3cc618c6088a62b5393f7b94ef8cb41c9',
  /** Stakes in the liquid pool from the start. */
  bob: 'EQAs68d4gyEWiJU4grAEs38C0Sqn9aUZ4QmkOjTkCc73o7fC',
  bobWallet: 'UQAs68d4gyEWiJU4grAEs38C0Sqn9aUZ4QmkOjTkCc73o-oH',
  bobKey: '7c94c2f3302a0c1572d7f7b4d19677495669d1eae777f9fd62750af938c2877c',
  /** Has tsUSDe from the start. */
  issuer: 'EQCp9pznfJcIJojRQ0_2m1a4Rg3zP7L-6jXkRWZ0i29E9q88',
  /** The jetton that counts as a dollar, Alice's wallet of it, and the jetton whose price its pool makes. */
  dollar: 'EQBZ65EvPvXzG_snc36RH9VrL_vWA0ql5EoBkIiu0uar-Qxq',
  aliceDollars: 'EQBP-KvOfe8Y0o4R89YLebfr6XpG4zV1iGuqZpWrtAeDk8Sx',
  semi: 'EQAWnbzVVbrvSHv0-Zc63IkNihU2JTlonWxLIDbOlzPUDy7T',
  mintless: 'EQD_8bmClZcU_fubzcqXwTEo1u5unT1M9-_t72VvrbkclxCw',
  solanaAlice: '2xtDnUQ8m9NJxdroScq6Kw6rdWpNdBJGqwF1V5QwbGEu',
  solanaBob: '2xj1M4MQV2arDzHa2dVNWYZjLTzUqqQL4FWTHYtEPXpf',
  solanaDollar: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  /** Stakes in the pool from the start. */
  dave: 'EQALev4rq0_A9k7MePI3Nen6sOGX9lPlZIdVNbZndwm_13NT',
  stakingPool: 'EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales',
  /** The elector, which every network has from its first block on. */
  elector: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
} as const;
