/** What the other plugin was asked, in its order: `METHOD /path` of a request, `workflow.hook` of a hook. */
export const heard: string[] = []

/** Hooks that refuse, by `workflow.hook`, until they are taken out. */
export const refusing = new Set<string>()
