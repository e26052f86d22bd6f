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

/** With the one that was likely meant, and those there are. */
export function noAppNamed(apps: readonly AppItem[], given: string): CommandError {
  const names = apps.map(({ clientId, name }) => `  ${clientId}  ${name}`).join('\n')
  const hint = suggestion(given, [
    ...apps.map(({ name }) => name),
    ...apps.map(({ clientId }) => clientId),
  ])
  return new CommandError(`There is no app ${given}${hint}. There are:\n${names}`, { exitCode: 2 })
}

/**
 * A list of what belongs to an app that is named as people see it.
 * @param given client id or name; absent = of all apps
 * @param list what there is of this client id; of an app that was never there, or is gone, there may be some, too
 * @throws {CommandError} when neither such an app nor anything of it is there
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
