import { endAll } from "./endings.mjs"

/** Ends what a `global-setup.mjs` started; a Postgres of the developer's own is left alone. */
export default endAll
