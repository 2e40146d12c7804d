import { nameSchemas } from './named-schemas';

type Schema = Record<string, unknown>;

const named = (components: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(nameSchemas(new Map(Object.entries(components))));

const object = (properties: Schema, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

it('makes components of nested objects, named after where they stand', () => {
  const page = object({ rows: { type: 'array', items: object({ 'sent-to': object({ id: text }) }) } });
  expect(named({ Page: page })).toEqual({
    Page: object({ rows: { type: 'array', items: ref('PageRowsItem') } }),
    PageRowsItem: object({ 'sent-to': ref('PageRowsItemSentTo') }),
    PageRowsItemSentTo: object({ id: text }),
  });
});

it('gives no two of them one name', () =>
  expect(
    Object.keys(named({ PageRow: object({ id: text }), Page: object({ row: object({ of: text }) }) })),
  ).toEqual(['PageRow', 'Page', 'PageRow2']));

it('says that a union is discriminated, by the constants of a member', () => {
  const variant = (type: string): Schema => object({ type: { type: 'string', const: type }, amount: text });
  expect(named({ Item: { anyOf: [variant('ton'), variant('jetton-transfer')] } })['Item']).toEqual({
    oneOf: [ref('ItemTon'), ref('ItemJettonTransfer')],
    discriminator: {
      propertyName: 'type',
      mapping: {
        ton: '#/components/schemas/ItemTon',
        'jetton-transfer': '#/components/schemas/ItemJettonTransfer',
      },
    },
  });
});

it('lets more than one variant of another union fit', () =>
  expect(named({ Item: { oneOf: [object({ a: text }), object({ b: text })] } })['Item']).toEqual({
    anyOf: [ref('Item1'), ref('Item2')],
  }));

it.each<[string, Schema, Schema]>([
  ['a text', { anyOf: [text, { type: 'null' }] }, { type: ['string', 'null'] }],
  [
    'one of some texts',
    { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  [
    'a constant',
    { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'an object',
    { anyOf: [object({}), { type: 'null' }] },
    { anyOf: [ref('HolderMember'), { enum: [null] }] },
  ],
  ['nothing else', { type: 'null' }, { description: 'Always null.' }],
])('has no type that is only null: null, or %s', (_, member, expected) =>
  expect(named({ Holder: object({ member }) })['Holder']).toEqual(object({ member: expected })),
);

it('takes texts of several forms for a text', () => {
  const address = {
    anyOf: [
      { type: 'string', const: '' },
      { type: 'string', pattern: '^E', example: 'EQ' },
    ],
  };
  expect(named({ Holder: object({ address }) })['Holder']).toEqual(
    object({ address: { type: 'string', example: 'EQ' } }),
  );
});

it('says in words what is always true', () =>
  expect(named({ Holder: object({ ok: { type: 'boolean', const: false } }) })['Holder']).toEqual(
    object({ ok: { type: 'boolean', description: 'Always false.' } }),
  ));

it('leaves out `_id` beside `id`', () =>
  expect(named({ Order: object({ id: text, _id: text }) })['Order']).toEqual(object({ id: text })));
