import type { AppItem } from '../contract/control-apps.ts'
import type { ControlCall } from '../contract/control-call.ts'
import { suggestion } from '../core/suggestion.ts'
import { CommandError } from './command-error.ts'

export async function listApps(call: ControlCall): Promise<readonly AppItem[]> {
  return (await call('GET apps', { query: { limit: 1000 } })).items
}

/** @param given client id or name */
export function appNamed(apps: readonly AppItem[], given: string): AppItem | undefined {
  return apps.find(({ clientId }) => clientId === given) ?? apps.find(({ name }) => name === given)
}

/** Creates an error with a suggestion and the known apps. */
export function noAppNamed(apps: readonly AppItem[], given: string): CommandError {
  const names = apps.map(({ clientId, name }) => `  ${clientId}  ${name}`).join('\n')
  const hint = suggestion(given, [
    ...apps.map(({ name }) => name),
    ...apps.map(({ clientId }) => clientId),
  ])
  return new CommandError(`Unknown app ${given}${hint}. Known apps:\n${names}`, { exitCode: 2 })
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
  const items = await list(app?.clientId ?? given)
  if (app === undefined && items.length === 0) throw noAppNamed(apps, given)
  return items
}
