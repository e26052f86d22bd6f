import { upgradeConsents } from '../oauth/consents.ts'
import { upgradeSpaceApp } from '../oauth/space-app.ts'
import type { ObjectStores } from '../objects/object-store.ts'
import type { State } from '../state/state.ts'
import type { Retired } from '../state/store.ts'
import { contentCollections, upgradeObjects } from './upgrade-objects.ts'

/**
 * Brings what older versions stored to the present shape, so that nobody has to give up a data folder.
 * @param objects where contents go
 */
export function createUpgrade(objects: ObjectStores) {
  return {
    /**
     * What each one changed: 2 = hosts of a Space's app are a list, a static one's has no secret; a consent per scope
     * set. 3 = contents of repos are files. 4 = the journal has of a changed record its changed members alone.
     */
    oldestFormat: 1,
    retired: contentCollections,
    run(state: State, retired: Retired): void {
      // First: the hosts of Spaces stand in their READMEs.
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
