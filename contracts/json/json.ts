/** Any JSON value. Integers beyond 2^53 and money are decimal strings. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
