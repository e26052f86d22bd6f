import { createClock } from '../../../server/core/clock.ts'
import { createIds, seededBytes } from '../../../server/core/ids.ts'
import { createBus } from '../../../server/hub/events/bus.ts'
import type { HubEvent } from '../../../server/hub/events/hub-event.ts'
import { createRepo, type CreateRepoInput } from '../../../server/hub/repos/repos.ts'
import type { User } from '../../../server/store/entities/account-entities.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import type { AccessToken } from '../../../server/store/entities/oauth-entities.ts'
import { definitions, stateFormatVersion } from '../../../server/store/state.ts'
import { createMemoryObjects } from '../../../server/store/objects/memory-objects.ts'
import type { ObjectStore, ObjectStores } from '../../../server/store/objects/object-store.ts'
import { openStore } from '../../../server/store/store.ts'
import { accountsIn } from '../../worlds/accounts.ts'
import { testSettings, testStart } from '../../worlds/settings.ts'

export const start = testStart

/**
 * A hub with a stopped clock: alice (admin), bob (write), carol (read), erin (contributor) and
 * frank (no access) in acme; bob in labs; dave in none. `events` fills with what is told.
 * @param directory for the state; absent to have it in memory
 */
export async function createHubWorld(
  objects: ObjectStores = createMemoryObjects(),
  directory?: string,
) {
  const clock = createClock({ realNow: () => start })
  const ids = createIds(seededBytes('hub'))
  const store = await openStore(definitions, {
    formatVersion: stateFormatVersion,
    before: objects,
    ...(directory !== undefined && { directory }),
  })
  const { collections: state } = store
  const bus = createBus(clock)
  const deps = { settings: testSettings, clock, ids, state, objects, bus }
  const events: HubEvent[] = []
  bus.on('hub.event', ({ data }) => events.push(data))

  const { user, organization } = accountsIn({ ids, state })
  const alice = user('alice', { isPro: true, canPay: true, website: 'https://alice.example' })
  const bob = user('bob')
  const carol = user('carol')
  const dave = user('dave')
  const erin = user('erin')
  const frank = user('frank')
  const acme = organization(
    'acme',
    [
      [alice, 'admin'],
      [bob, 'write'],
      [carol, 'read'],
      [erin, 'contributor'],
      [frank, 'no_access'],
    ],
    { plan: 'enterprise', canPay: true },
  )
  const labs = organization('labs', [[bob, 'read']])

  return {
    deps,
    state,
    store,
    clock,
    events,
    users: { alice, bob, carol, dave, erin, frank },
    organizations: { acme, labs },
    /** A repo by the hub itself, without an event. */
    repo(name: string, more: Partial<CreateRepoInput> & { put?: Partial<Repo> } = {}): Repo {
      const { put, ...input } = more
      const quiet = { ...deps, bus: { emit: () => {} } }
      return state.repos.put({ ...createRepo(quiet, { type: 'model', name, ...input }), ...put })
    },
    /** The repo as it is now. */
    now(repo: Repo): Repo {
      return state.repos.get(repo.id)!
    },
    /** Objects of the repo. */
    objects(repo: Repo): ObjectStore {
      return objects.of(repo)
    },
    token(owner: User, more: Partial<AccessToken> = {}): AccessToken {
      return state.tokens.put({
        id: ids.objectId(),
        token: `hf_sandbox_${ids.alphanumeric(24)}`,
        kind: 'user',
        userId: owner.id,
        createdAt: start,
        scopes: [],
        organizationIds: [],
        ...more,
      })
    },
  }
}

export type HubWorld = Awaited<ReturnType<typeof createHubWorld>>
