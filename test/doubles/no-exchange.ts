/** For tests in which nothing is exchanged. */
export async function noExchange(): Promise<never> {
  throw new Error('no exchange partner');
}
