import { upgradeConsents } from '../oauth/consents.ts'
import { upgradeSpaceApp } from '../oauth/space-app.ts'
import type { ObjectStores } from '../objects/object-store.ts'
import type { State } from '../state/state.ts'
import type { Retired } from '../state/store.ts'
import { contentCollections, upgradeObjects } from './upgrade-objects.ts'

/**
 * Upgrades the state of older versions, so that data folders stay usable.
 * @param objects store for contents
 */
export function createUpgrade(objects: ObjectStores) {
  return {
    /**
     * Changes: 2 = hosts of a Space's app are a list, and the app of a static one has no secret; a consent per scope set.
     * 3 = contents of repos are files. 4 = the journal contains the changed members of a record only.
     */
    oldestFormat: 1,
    retired: contentCollections,
    run(state: State, retired: Retired): void {
      // First, because the hosts of Spaces are in their READMEs.
      upgradeObjects(state, objects, retired)
      const apps = [...state.apps.values()]
      for (const app of apps) {
        const upgraded = upgradeSpaceApp({ state, objects }, app)
        if (upgraded !== app) state.apps.put(upgraded)
      }
      upgradeConsents(state)
    },
  }
}
