// A test takes seconds. One that waits for something that never happens ends by itself after 150 s, and says what it is.
jest.setTimeout(300_000)
