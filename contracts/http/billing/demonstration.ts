/**
 * What `tidemark demo` records, which examples of billing use. The ids follow from the keys of its calls; of an instance with
 * another `INSTANCE_ID` they are others.
 */
export const DEMO = {
  merchant: { merchantId: 'demo-bakery', name: 'Demonstration: Bakery', slug: 'demo-bakery' },
  /** Of the month before the last one, finalized. */
  invoice: '91359fe3-a040-50a9-b50c-c9bf3b7d3fce',
  /** Of the last month. */
  draftInvoice: '192b0c18-cf6d-5280-b9e0-c6c10de41a9d',
  paidSettlement: '41c4db88-a2d8-55a9-b0e3-666f119ada86',
  pendingSettlements: ['353affc3-f2b9-570b-af05-3ddc1ba1c724', '4061c72d-30f4-5c8a-b784-e03c54f2b9a8'],
} as const;
