/** The Node that `npm run test:node` takes when none is named; CI runs it in addition to its own. */
export const NEWER_NODE = "22.23.3"

/** The newest line of Node that is supported: `npm run test:node -- 24.21.0`. */
export const NEWEST_NODE = "24.21.0"
