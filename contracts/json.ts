/** What survives a round trip through JSON. Integers beyond 2^53 and money travel as decimal strings. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
