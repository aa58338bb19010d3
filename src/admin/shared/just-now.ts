/**
 * For what the gateway was asked: called read just now, so what was read on an earlier visit is not shown again, not
 * even first.
 */
export const JUST_NOW = { staleTime: 0, gcTime: 0 }
