import type { RequestHandler } from "express"

/** What the other plugin was asked, in its order: `METHOD /path` of a request, `workflow.hook` of a hook. */
export const heard: string[] = []

/** How the store's own middleware reads every body before all others; undefined when it does not. */
export const readingFirst: { by: RequestHandler | undefined } = { by: undefined }

/** Hooks that refuse, by `workflow.hook`, until they are taken out. */
export const refusing = new Set<string>()
