import { see, type SeenRequest, withoutStyleProbes } from '../../checks/evidence.ts'
import { deviceCodeGrant } from '../../../contract/words/oauth-words.ts'
import type { Deps } from '../../../hub/deps.ts'
import type { RequestLog } from '../../../inspect/log/request-log.ts'
import { flowOfRequest } from '../../faults/flow-of-request.ts'
import type { User } from '../../../store/entities/account-entities.ts'
import type { State } from '../../../store/state.ts'
import { usualPauseMs } from './device-progress.ts'

/** What an app does in one sign-in of an audit. */
export interface AppRun {
  /** Real milliseconds since the process started. */
  readonly sinceMs: number
  readonly clientId: string
  /** Earlier sign-ins: families of their codes and tokens. */
  readonly earlier: ReadonlySet<string>
}

type RunDeps = Pick<Deps, 'state'> & { readonly requests: Pick<RequestLog, 'values'> }

export function beginRun(
  { state }: Pick<Deps, 'state'>,
  clientId: string,
  sinceMs: number,
): AppRun {
  return { sinceMs, clientId, earlier: new Set(familiesOf(state, clientId)) }
}

/** Finds the first sign-in of the run: a retry of the app is another one. */
export function familyIdOfRun({ state }: Pick<Deps, 'state'>, run: AppRun): string | undefined {
  return familiesOf(state, run.clientId).find((id) => !run.earlier.has(id))
}

/** Finds the user of the first sign-in of the run. */
export function userOfRun(deps: Pick<Deps, 'state'>, run: AppRun): User | undefined {
  const { state } = deps
  const id = familyIdOfRun(deps, run)
  const found = recordsOf(state, run.clientId).find(
    ({ familyId, userId }) => familyId === id && userId !== undefined,
  )
  return state.users.get(found?.userId ?? '')
}

/** Names another app that began a sign-in since the run began. */
export function otherAppOfRun(deps: RunDeps, { sinceMs, clientId }: AppRun): string | undefined {
  const other = deps.requests
    .values()
    .filter(({ receivedMs }) => receivedMs >= sinceMs)
    .map((record) => see(deps, record))
    .find((request) => beginningPaths.test(request.path) && request.clientId !== clientId)
  return deps.state.apps.get(other?.clientId ?? '')?.name
}

/** Pause that the sandbox asks devices for between polls. */
export function intervalMsOf({ settings }: Pick<Deps, 'settings'>): number {
  const { intervalSeconds } = settings.device
  return intervalSeconds === undefined ? usualPauseMs : intervalSeconds * 1000
}

/** Sign-ins of an app, the first one first. Tokens count, too: a user who revokes the access of an app deletes the codes. */
function familiesOf(state: State, clientId: string): string[] {
  return recordsOf(state, clientId).flatMap(({ familyId }) => familyId ?? [])
}

function recordsOf(state: State, clientId: string) {
  const devices = [...state.deviceAuthorizations.values()].filter(
    (device) => device.clientId === clientId,
  )
  return [
    ...state.codes.group('client', clientId),
    ...devices,
    ...state.tokens.group('client', clientId),
  ]
}

/** Tokens and codes of the run's sign-in. */
export interface Family {
  readonly id: string | undefined
  isToken(token: string | undefined): boolean
  /** Checks whether a code belongs to another sign-in. */
  isForeignCode(code: string): boolean
  isForeignRefreshToken(token: string): boolean
}

export function familyOfRun({ state }: Pick<Deps, 'state'>, run: AppRun): Family {
  const id = familyIdOfRun({ state }, run)
  return {
    id,
    isToken: (token) =>
      id !== undefined && token !== undefined && familyOfToken(state, token) === id,
    isForeignCode: (code) =>
      isForeign((state.codes.get(code) ?? state.deviceAuthorizations.get(code))?.familyId, id),
    isForeignRefreshToken: (token) => isForeign(state.refreshTokens.get(token)?.familyId, id),
  }
}

function familyOfToken(state: State, token: string): string | undefined {
  return state.tokens.find('token', token)?.familyId
}

function isForeign(found: string | undefined, own: string | undefined): boolean {
  return found !== undefined && found !== own
}

/** Paths at which an app begins a sign-in. */
const beginningPaths = /^\/oauth\/(?:authorize|device)$/

/** Paths of metadata and keys, which requests of every app have in common. */
const sharedPaths = /^\/(?:\.well-known\/|oauth\/jwks$)/

/** Lists the requests of the app since the run began, with metadata and keys, in the order of their arrival. */
export function requestsOfRun(deps: RunDeps, { sinceMs, clientId }: AppRun): SeenRequest[] {
  return deps.requests
    .values()
    .filter(({ receivedMs, resentFrom }) => receivedMs >= sinceMs && resentFrom === undefined)
    .map((record) => see(deps, record))
    .filter((request) => isSharedRead(request) || ownerOf(deps.state, request) === clientId)
}

/** The app of a request. `@huggingface/hub` redeems a code without its client id. */
function ownerOf(state: State, { clientId, form }: SeenRequest): string | undefined {
  return clientId ?? flowOfRequest(state, { authorization: undefined, body: form })?.clientId
}

export function isSharedRead({ path }: SeenRequest): boolean {
  return sharedPaths.test(path)
}

export function isKeyRead({ path }: SeenRequest): boolean {
  return path.includes('jwks')
}

/** Requests with a token of the sign-in, other than those for tokens. */
export function tokenUsesIn(requests: readonly SeenRequest[], family: Family): SeenRequest[] {
  return requests.filter(({ path, bearer }) => path !== '/oauth/token' && family.isToken(bearer))
}

/** Token requests with the code of the sign-in, or with one that the sandbox never issued. */
export function redemptionsIn(requests: readonly SeenRequest[], family: Family): SeenRequest[] {
  const sent = requests.filter(
    ({ path, record, form }) =>
      path === '/oauth/token' &&
      (record.grantType === 'authorization_code' || record.grantType === deviceCodeGrant) &&
      !family.isForeignCode(form.get('code') ?? form.get('device_code') ?? ''),
  )
  return withoutStyleProbes(sent)
}

export function refreshesIn(requests: readonly SeenRequest[], family: Family): SeenRequest[] {
  const sent = requests.filter(
    ({ path, record, form }) =>
      path === '/oauth/token' &&
      record.grantType === 'refresh_token' &&
      !family.isForeignRefreshToken(form.get('refresh_token') ?? ''),
  )
  return withoutStyleProbes(sent)
}
