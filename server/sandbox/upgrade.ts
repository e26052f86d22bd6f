import { upgradeConsents } from '../oauth/consents.ts'
import { upgradeSpaceApp } from '../oauth/space-app.ts'
import type { State } from '../state/state.ts'

/** Brings what older versions stored to the present shape, so that nobody has to give up a data folder. */
export const upgrade = {
  /** What each one changed: 2 = hosts of a Space's app are a list, a static one's has no secret; a consent per scope set. */
  oldestFormat: 1,
  run(state: State): void {
    const apps = [...state.apps.values()]
    for (const app of apps) {
      const upgraded = upgradeSpaceApp(state, app)
      if (upgraded !== app) state.apps.put(upgraded)
    }
    upgradeConsents(state)
  },
}
