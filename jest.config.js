/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/contracts',
    '<rootDir>/services',
    '<rootDir>/indexers',
    '<rootDir>/projections',
    '<rootDir>/infra',
    '<rootDir>/test',
  ],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  moduleFileExtensions: ['ts', 'js', 'json'],
  testTimeout: 30_000,
};
