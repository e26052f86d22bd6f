import { AsyncLocalStorage } from 'node:async_hooks'

/** Experiment for which a demo sends the request under way: only the rule of this experiment applies to it. */
export const playedExperiment = new AsyncLocalStorage<string>()
