import type { Deps } from '../deps.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { deleteApp } from './apps.ts'

type RoomDeps = Pick<Deps, 'state' | 'settings' | 'clock' | 'bus'>

/** Origins of apps that any caller can add. */
type Origin = Extract<App['origin'], 'registration' | 'metadata-document'>

/**
 * Makes room for one more app of such an origin by deleting the oldest unused one.
 * @returns `undefined`, or the number of apps when all of them are in use
 */
export function makeRoomForApp(deps: RoomDeps, origin: Origin): number | undefined {
  const { state, settings } = deps
  const apps = [...state.apps.values()].filter((app) => app.origin === origin)
  if (apps.length < settings.caps.registrations) return undefined
  const devices = new Set([...state.deviceAuthorizations.values()].map(({ clientId }) => clientId))
  const unused = apps.find(
    ({ id }) =>
      !devices.has(id) &&
      state.consents.groupSize('client', id) === 0 &&
      state.codes.groupSize('client', id) === 0 &&
      state.tokens.groupSize('client', id) === 0 &&
      state.refreshTokens.groupSize('client', id) === 0,
  )
  if (unused === undefined) return apps.length
  deleteApp(deps, unused)
  return undefined
}
