import { endAll } from "./endings.mjs"

/** Ends what `global-setup.mjs` started. */
export default endAll
