import type { Deps } from '../deps.ts'
import type { Ids } from '../../core/ids.ts'
import {
  isStaticSpace,
  readSpaceMetadata,
  spaceHost,
  type SpaceMetadata,
} from '../repos/space-sdk.ts'
import { isTrue } from '../rules/readme-metadata.ts'
import type { KeptObjects } from '../../store/objects/object-store.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { nameKey, type State } from '../../store/state.ts'
import { deleteApp } from './apps.ts'
import { signInScopes } from '../../contract/scopes.ts'
import { readScopes } from './scope.ts'

export interface SpaceAppDeps {
  readonly state: State
  readonly objects: KeptObjects
  readonly clock: { now(): number }
  readonly ids: Pick<Ids, 'of'>
}

const defaultMinutes = 480
const mostMinutes = 43_200

/**
 * Creates the app of a Space whose README has `hf_oauth: true`, or updates it without changing its id and secret. The app
 * of a static Space has no secret, and follows every change of `sdk`.
 * @returns `undefined` when the README requests no app; an existing app is left alone
 */
export function putSpaceApp(deps: SpaceAppDeps, repo: Repo): App | undefined {
  const { state } = deps
  if (repo.type !== 'space') return undefined
  const metadata = readSpaceMetadata(deps, repo)
  if (!isTrue(metadata.get('hf_oauth'))) return undefined

  const [before] = state.apps.group('space', repo.id)
  // Its page redeems the code itself and cannot keep a secret, so it uses PKCE.
  const isStatic = isStaticSpace(repo, metadata)
  const { known = [] } = readScopes(listOf(metadata.get('hf_oauth_scopes')))
  const organizations = authorizedOrganizations(metadata)
  const ids = deps.ids.of('app of a Space', repo.id)
  return state.apps.put({
    id: before?.id ?? ids.uuid(),
    name: repo.name,
    origin: 'space',
    ...(isStatic
      ? {}
      : { clientSecret: before?.clientSecret ?? `sandbox_${ids.alphanumeric(40)}` }),
    redirectUris: [],
    redirectHosts: spaceHosts(repo, isStatic),
    scopes: [...new Set([...signInScopes, ...known])],
    ownerId: repo.ownerId,
    privileges: [],
    tokenDurationSeconds: readMinutes(metadata.get('hf_oauth_expiration_minutes')) * 60,
    ...(organizations.length === 0
      ? {}
      : {
          authorizedOrganizationIds: organizations.flatMap(
            (key) => state.organizations.find('name', key)?.id ?? [],
          ),
        }),
    spaceId: repo.id,
    createdAt: before?.createdAt ?? deps.clock.now(),
  })
}

/**
 * Updates the apps of Spaces after changes of READMEs and of the organizations that they name. An app that is no longer
 * requested is deleted with its tokens and consents.
 */
export function followSpaces(deps: Deps): void {
  const { bus, state } = deps
  bus.on('hub.event', ({ data: { repo: changed, scope } }) => {
    if (changed.type !== 'space' || scope.startsWith('discussion')) return
    const repo = state.repos.get(changed.id)
    const [app] = state.apps.group('space', changed.id)
    const isReadmeKept = scope !== 'repo.content' && app !== undefined
    if (repo !== undefined && isReadmeKept) return renameSpaceApp(deps, app, repo)
    if (repo !== undefined && putSpaceApp(deps, repo) !== undefined) return
    if (app !== undefined) deleteApp(deps, app)
  })
  bus.on('account.changed', ({ data: { kind, id } }) => {
    if (kind === 'organization') followOrganization(deps, id)
  })
}

/** Keeps the restrictions of the app: the Space may have moved together with an organization that its README names. */
function renameSpaceApp(deps: SpaceAppDeps, app: App, repo: Repo): void {
  const isStatic = isStaticSpace(repo, readSpaceMetadata(deps, repo))
  const { name, ownerId } = repo
  deps.state.apps.put({ ...app, name, ownerId, redirectHosts: spaceHosts(repo, isStatic) })
}

/**
 * Updates apps whose README names an organization that was created or renamed since. An organization that an app already
 * knows stays known under another name until the README is read again.
 */
function followOrganization(deps: SpaceAppDeps, id: string): void {
  const { apps, organizations, repos } = deps.state
  const organization = organizations.get(id)
  for (const { spaceId = '', authorizedOrganizationIds } of apps.values()) {
    const repo = repos.get(spaceId)
    if (repo === undefined || authorizedOrganizationIds === undefined) continue
    const isKnown = authorizedOrganizationIds.includes(id)
    const isNamed =
      organization !== undefined &&
      authorizedOrganizations(readSpaceMetadata(deps, repo)).includes(nameKey(organization.name))
    if (organization === undefined ? isKnown : isNamed && !isKnown) putSpaceApp(deps, repo)
  }
}

/** Returns the keys of the organizations to whose members the app is restricted; empty = no restriction. */
function authorizedOrganizations(metadata: SpaceMetadata): string[] {
  const names = listOf(metadata.get('hf_oauth_authorized_org')).filter((name) => name !== '')
  return names.map(nameKey)
}

/** Returns the hosts of a Space; a static Space has an additional one. */
function spaceHosts(repo: Repo, isStatic: boolean): string[] {
  return [spaceHost(repo, false), ...(isStatic ? [spaceHost(repo, true)] : [])]
}

function listOf(value: string | readonly string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}

function readMinutes(value: string | readonly string[] | undefined): number {
  const minutes = Number(value)
  return Number.isInteger(minutes) && minutes > 0 ? Math.min(minutes, mostMinutes) : defaultMinutes
}
