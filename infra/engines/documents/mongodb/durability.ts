/** Whatever the URL asks for. The time is for an answer that the majority has it; without one a write may still succeed. */
export const MAJORITY = { w: 'majority', journal: true, wtimeoutMS: 20_000 } as const;
