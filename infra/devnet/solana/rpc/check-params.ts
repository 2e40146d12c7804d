import type { z } from 'zod';
import { invalidParams } from './error';

export type Outputs<Items extends readonly z.ZodType[]> = { [Index in keyof Items]: z.output<Items[Index]> };

/**
 * Validates the parameters of a call, by position.
 * @param items one schema per parameter; trailing ones are optional when their schema allows undefined
 * @throws -32602 naming the parameter
 */
export function checkParams<const Items extends readonly z.ZodType[]>(
  items: Items,
  given: unknown,
): Outputs<Items> {
  const params: unknown = given ?? [];
  if (!Array.isArray(params)) throw invalidParams('not an array');
  if (params.length > items.length)
    throw invalidParams(`${params.length} given, at most ${items.length} expected`);
  const values = items.map((item, index) => {
    const parsed = item.safeParse(params[index]);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw invalidParams(`${[index, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'wrong'}`);
  });
  return values as Outputs<Items>;
}
