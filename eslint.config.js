const js = require('@eslint/js');
const ts = require('typescript-eslint');

/** Import directions: contracts <- services, indexers, projections <- infra. Business folders see ports, never adapters, and never each other. */
const PORTS = '(event-store|log|documents|jobs|mailbox)/port$';
const rule = (files, ...patterns) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        paths: [{ name: 'libsql', message: 'Only infra/sqlite may import libsql.' }],
        patterns: patterns.map(([regex, message]) => ({ regex, message })),
      },
    ],
  },
});
const ADAPTERS = [
  `(^|/)infra/(?!${PORTS})`,
  'Business folders see ports (infra/<port>/port), never adapters.',
];
const TESTS = ['(^|/)test/', 'The product does not import its tests.'];
const sibling = (root, folders) =>
  folders.map(folder => {
    const others = folders.filter(other => other !== folder && other !== 'http').join('|');
    return rule([`${root}/${folder}/**`], ...DIRECTIONS[root], [
      `^(\\.\\./)+(${others})(/|$)`,
      `${root} do not import each other.`,
    ]);
  });
const DIRECTIONS = {
  services: [ADAPTERS, TESTS, ['(^|/)indexers/', 'Services do not import indexers.']],
  indexers: [ADAPTERS, TESTS, ['(^|/)(services|projections)/', 'Indexers import contracts and ports only.']],
};
const fs = require('node:fs');
const folders = root =>
  fs
    .readdirSync(`${__dirname}/${root}`, { withFileTypes: true })
    .filter(e => e.isDirectory())
    .map(e => e.name);

module.exports = ts.config(
  { ignores: ['dist/', 'data/', 'coverage/', 'node_modules/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { require: 'readonly', module: 'writable', __dirname: 'readonly' },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  rule(['infra/**', 'test/**']),
  { files: ['infra/sqlite/**'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
  rule(
    ['contracts/**'],
    ['(^|/)(services|indexers|projections|infra|test)/', 'Contracts import nothing of ours.'],
  ),
  rule(['services/**'], ...DIRECTIONS.services),
  ...sibling('services', folders('services')),
  rule(['indexers/**'], ...DIRECTIONS.indexers),
  ...sibling('indexers', folders('indexers')),
  rule(['projections/**'], ADAPTERS, TESTS, [
    '(^|/)(services|indexers)/',
    'Projections import contracts and ports only.',
  ]),
  // Tests beside the source meet real adapters, doubles and contract suites.
  rule(['**/*.test.ts', 'test/**']),
  { files: ['infra/sqlite/**'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
);
