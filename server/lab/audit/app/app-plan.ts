import type { StartAuditRequest } from '../../../contract/control-audits.ts'
import { suggestion } from '../../../contract/suggestion.ts'
import type { Issue } from '../../../core/config-error.ts'
import { Refusal, refuseIssues } from '../../../core/refusal.ts'
import type { Barriers } from '../../faults/barriers.ts'
import type { Faults } from '../../faults/faults.ts'
import type { Clock } from '../../../core/clock.ts'
import type { State } from '../../../store/state.ts'
import type { User } from '../../../store/entities/account-entities.ts'
import { nameKey } from '../../../store/state.ts'
import { selectModules, unknownModules } from '../verdict.ts'
import type { AuditModule, AuditUser } from './app-module.ts'
import type { AppAudit } from './run-app-modules.ts'
import { describeModule } from './verdict-of-module.ts'

type PlanState = Pick<State, 'apps' | 'users'>

/**
 * Reads which app, user and modules an audit is about.
 * @throws {Refusal} `invalid` with each mistake
 */
export function readAppAudit(
  state: PlanState,
  catalog: readonly AuditModule[],
  request: StartAuditRequest,
): AppAudit & { readonly appName: string } {
  const { clientId = '', plan = 'core', only, skip, flow = 'sign-in' } = request
  const app = state.apps.get(clientId)
  const issues: Issue[] = []
  if (app === undefined) issues.push(unknownApp(state, request.clientId))
  const users = [...state.users.values()]
  const user =
    request.user === undefined ? users[0] : state.users.find('name', nameKey(request.user))
  if (user === undefined) {
    const names = users.map(({ username }) => username)
    const message =
      request.user === undefined
        ? 'The sandbox has no users: add one to the fixtures.'
        : `There is no user ${request.user}${suggestion(request.user, names)}.`
    issues.push({ path: 'user', message })
  }
  for (const key of ['start', 'signedIn', 'use'] as const) {
    const url = request[key]
    if (url !== undefined && !isWebUrl(url)) {
      issues.push({ path: key, message: `${url} is not a URL: use http:// or https://.` })
    }
  }
  issues.push(...driverIssues(request))
  if (flow === 'device' && request.start !== undefined) {
    issues.push({
      path: 'start',
      message: 'A device has no URL: pass a command, or sign in by hand.',
    })
  }
  const described = catalog.map(describeModule)
  issues.push(...unknownModules(described, request))
  const ids = new Set(selectModules(described, { plan, only, skip }).map(({ id }) => id))
  const selected = catalog.filter((module) => ids.has(module.id) && flowOf(module) === flow)
  if (issues.length === 0 && selected.length === 0) {
    issues.push({
      path: 'only',
      message: `No module of the flow ${flow} is left: choose others by only, skip and flow.`,
    })
  }
  refuseIssues(issues)
  if (app === undefined || user === undefined) throw new TypeError('refused above')
  const other = users.find(({ id }) => id !== user.id)
  return {
    clientId: app.id,
    appName: app.name,
    user: auditUser(user),
    otherUser: other && auditUser(other),
    modules: selected,
    catalog,
  }
}

/** Refuses an audit while anything else changes responses: its verdicts would be about that. */
export function requireQuiet({
  faults,
  barriers,
  clock,
}: {
  readonly faults: Pick<Faults, 'size'>
  readonly barriers: Pick<Barriers, 'size'>
  readonly clock: Pick<Clock, 'read'>
}): void {
  const active = [
    ...(faults.size === 0 ? [] : ['Fault rules are active: remove them (hub-sandbox fault clear)']),
    ...(barriers.size === 0 ? [] : ['Barriers are active: release them']),
    ...(clock.read().frozen ? ['The clock is frozen: resume it (hub-sandbox clock resume)'] : []),
  ]
  const [first] = active
  if (first !== undefined) throw new Refusal('conflict', `${first}, then start the audit again.`)
}

function unknownApp({ apps }: PlanState, clientId: string | undefined): Issue {
  if (clientId === undefined) return { path: 'clientId', message: 'Name the app by its client id.' }
  const known = [...apps.values()].map(({ id }) => id)
  return { path: 'clientId', message: `There is no app ${clientId}${suggestion(clientId, known)}.` }
}

function driverIssues({ driver, start, signedIn, signedInText }: StartAuditRequest): Issue[] {
  const issues: Issue[] = []
  if (driver === 'browser' && start === undefined) {
    issues.push({
      path: 'start',
      message: 'A browser needs the URL by which the app begins a sign-in.',
    })
  }
  if (driver !== undefined && driver !== 'browser' && start !== undefined) {
    issues.push({
      path: 'start',
      message: 'Only a browser of the sandbox opens it: leave out driver.',
    })
  }
  if (signedInText !== undefined && signedIn === undefined) {
    issues.push({ path: 'signedInText', message: 'It needs signedIn, the URL that has the text.' })
  }
  return issues
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function flowOf({ flow = 'sign-in' }: AuditModule) {
  return flow
}

function auditUser({ id, username, email }: User): AuditUser {
  return { id, username, ...(email === undefined ? {} : { email }) }
}
