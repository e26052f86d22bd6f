import type { AppItem } from '../contract/control-apps.ts'
import type { ControlCall } from '../contract/control-call.ts'
import { suggestion } from '../contract/suggestion.ts'
import { ControlError } from '../web/control-error.ts'
import { pageSize, wholeList } from '../client/lists.ts'
import { CommandError } from './command-error.ts'

export function listApps(call: ControlCall): Promise<readonly AppItem[]> {
  return wholeList((cursor) => call('GET apps', { query: { limit: pageSize, cursor } }))
}

/** @param given client id or name */
export function appNamed(apps: readonly AppItem[], given: string): AppItem | undefined {
  return apps.find(({ clientId }) => clientId === given) ?? apps.find(({ name }) => name === given)
}

/**
 * Returns the app with a client id or name.
 * @throws {CommandError} for an unknown app, or a name that several apps have
 */
export function requireApp(apps: readonly AppItem[], given: string): AppItem {
  const app = appNamed(apps, given)
  if (app === undefined) throw noAppNamed(apps, given)
  const others = apps.filter(({ name }) => name === given)
  if (app.clientId === given || others.length === 1) return app
  const ids = others.map(({ clientId }) => `  ${clientId}`).join('\n')
  throw new CommandError(`${others.length} apps are named ${given}. Pass a client id:\n${ids}`, {
    exitCode: 2,
  })
}

/**
 * Returns the client id of an app, given by client id or name. An unknown one is returned as it is: the app may be
 * registered later.
 */
export async function clientIdOf(
  call: ControlCall,
  given: string | undefined,
): Promise<string | undefined> {
  if (given === undefined) return undefined
  const apps = await listApps(call)
  return appNamed(apps, given) === undefined ? given : requireApp(apps, given).clientId
}

/** Creates an error with a suggestion and the known apps. */
export function noAppNamed(apps: readonly AppItem[], given: string): CommandError {
  const names = apps.map(({ clientId, name }) => `  ${clientId}  ${name}`).join('\n')
  const hint = suggestion(given, [
    ...apps.map(({ name }) => name),
    ...apps.map(({ clientId }) => clientId),
  ])
  return new CommandError(`Unknown app ${given}${hint}. Known apps:\n${names}`)
}

/**
 * Lists the items of an app, given by client id or name.
 * @param given client id or name; absent = all apps
 * @param list returns the items of a client id; deleted and unknown apps may have some, too
 * @throws {CommandError} if neither the app nor any item of it exists
 */
export async function listOfApp<T>(
  call: ControlCall,
  given: string | undefined,
  list: (clientId: string | undefined) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (given === undefined) return list(undefined)
  const apps = await listApps(call)
  const app = appNamed(apps, given)
  if (app !== undefined) return list(app.clientId)
  const items = await list(given).catch((error: unknown) => {
    // The sandbox knows neither the app nor anything of it.
    const isUnknown = (issue: { path: string }) => issue.path === 'clientId'
    if (error instanceof ControlError && error.issues.some(isUnknown)) return []
    throw error
  })
  if (items.length === 0) throw noAppNamed(apps, given)
  return items
}
