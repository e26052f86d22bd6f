import { startInProcess } from '../../client/start-in-process.ts'
import type { AccessAction } from '../../hub/access/access-rules.ts'
import type { CallsByAction } from './docs-scopes.ts'

interface OpenApi {
  paths: Record<string, Record<string, { 'x-scopes'?: Partial<Record<AccessAction, unknown>> }>>
}

/** Reads the registered routes from the OpenAPI document of a sandbox, by the actions that permit them. */
export async function readCallsByAction(): Promise<CallsByAction> {
  await using sandbox = await startInProcess({})
  const response = await fetch(`${sandbox.url}/_sandbox/openapi.json`)
  const { paths } = (await response.json()) as OpenApi
  const calls = new Map<AccessAction, string[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { 'x-scopes': needs = {} }] of Object.entries(operations)) {
      for (const action of Object.keys(needs) as AccessAction[]) {
        calls.set(action, [...(calls.get(action) ?? []), `${method.toUpperCase()} ${path}`])
      }
    }
  }
  return calls
}
