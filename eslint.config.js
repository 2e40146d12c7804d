const js = require('@eslint/js');
const regexp = require('eslint-plugin-regexp');
const ts = require('typescript-eslint');

// Which folder may import which is the business of `.dependency-cruiser.js`.
/** Lines of code of the longest function that there may be. */
const maxLines = max => ['error', { max, skipBlankLines: true, skipComments: true }];

const EXPORTED_ARROW = {
  selector:
    'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator[id.typeAnnotation=undefined] > ArrowFunctionExpression.init',
  message: 'Functions that a module exports are `function` declarations.',
};

const SPREAD_LITERAL = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Its properties can stand where it is spread.',
};

module.exports = ts.config(
  // The client has types only once they are generated; test/e2e/openapi.ts compiles it.
  { ignores: ['dist/', 'data*/', 'coverage/', 'node_modules/', 'test/openapi/client/'] },
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
    files: ['**/*.{ts,tsx}'],
    // One program for all files, which takes a sixth less time than the project service.
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: __dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      'no-restricted-syntax': ['error', EXPORTED_ARROW, SPREAD_LITERAL],
    },
  },
  {
    files: ['infra/console/browser/**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: { project: 'infra/console/browser/tsconfig.json', tsconfigRootDir: __dirname },
    },
  },
  {
    // Strings of one name or value are read there, and schemas of our own with a reviver.
    files: ['{contracts,services,indexers,projections,infra}/**/*.ts'],
    ignores: ['**/*.test.ts', 'contracts/json/**', 'services/http/openapi/**', 'infra/console/browser/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'JSON',
          property: 'parse',
          message: 'Use readJson, which reads names with escapes on every Node.',
        },
      ],
    },
  },
  {
    // What clients send reaches these: a pattern whose time grows with the square of its text holds up everybody.
    files: ['{contracts,services,indexers,projections,infra}/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' },
  },
  {
    // The time of the parser grows with the square of a host. Addresses of operators, and of answers, are read elsewhere.
    files: ['{contracts,services,indexers,projections}/**/*.ts', 'infra/program/features/apps.ts'],
    ignores: [
      ...['**/*.test.ts', 'contracts/url/**', 'services/auth/**', 'services/exchange/pages/**'],
      ...['contracts/http/card/**', 'services/card/**', 'contracts/http/exchange/pages.ts'],
      'services/tokens/known-currencies.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        EXPORTED_ARROW,
        SPREAD_LITERAL,
        {
          selector: 'NewExpression[callee.name="URL"]',
          message: 'Use parseUrl, which parses no host that is longer than any.',
        },
        {
          selector: 'CallExpression[callee.object.name="z"][callee.property.name="url"]',
          message: 'Use urlText, which checks the length first.',
        },
      ],
    },
  },
  {
    // The longest that there is: it goes down with every function that is split.
    files: ['{contracts,services,indexers,projections,infra}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': maxLines(114) },
  },
  {
    files: ['infra/program/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': maxLines(60) },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        require: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        __filename: 'readonly',
      },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
