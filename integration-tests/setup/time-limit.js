// Booting a store takes ten seconds, and a minute on a machine with load 8.
jest.setTimeout(180_000)
