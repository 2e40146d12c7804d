import { dataDirPrefix, resetLine } from './reset-line';

it('names the data folder, unless it is the default one', () => {
  expect(resetLine({ DATA_DIR: './data' })).toBe('npm run -s tidemark -- reset --yes');
  expect(resetLine({ DATA_DIR: '/tmp/x' })).toBe('DATA_DIR=/tmp/x npm run -s tidemark -- reset --yes');
});

it('is one word for a shell', () => {
  expect(dataDirPrefix({ DATA_DIR: "./Ann's data" })).toBe("DATA_DIR='./Ann'\\''s data' ");
});
