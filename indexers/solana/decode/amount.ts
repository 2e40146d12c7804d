/** A whole number of smallest units as a decimal fraction of whole tokens, exactly: `-1234500` of 6 is `-1.2345`. */
export function wholeTokens(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/(?<!0)0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction && `.${fraction}`}`;
}
