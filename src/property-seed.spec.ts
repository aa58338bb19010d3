import fc from "fast-check"

/**
 * Properties are tried with the same values in every run, so that a run is red only when the code is wrong. `FC_SEED`
 * gives another seed. fast-check prints the seed of a property that failed.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["FC_SEED"] ?? 20_261_125) })
