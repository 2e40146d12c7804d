/*
 * Imported by tests that start programs again and again. These share the processor with all other tests, and each needs a
 * second of it to start: five minutes for a test, where others have one.
 */
jest.setTimeout(300_000 * Math.max(1, Number(process.env['PROPERTY_SCALE'] ?? 1)));
