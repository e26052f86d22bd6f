import { readFileSync } from 'node:fs'
import {
  AppRef,
  ErrorBody,
  Issue,
  OrganizationRef,
  PageQuery,
  UserRef,
} from '../../contract/control.ts'
import { TokenResponse } from '../../contract/oauth.ts'
import type { JsonSchema } from '../../core/json-schema.ts'

const contract = new URL('../../contract/', import.meta.url)

/** Files whose shapes are published, as `control-types.ts` lists them. */
const files = Array.from(
  readFileSync(new URL('control-types.ts', contract), 'utf8').matchAll(
    /^export type \* from '\.\/([\w-]+\.ts)'$/gm,
  ),
  ([, file = '']) => file,
)

/** Shapes by their file in the contract. */
export const controlGroups: Readonly<Record<string, object>> = {
  'server/contract/control.ts': { Issue, ErrorBody, PageQuery, UserRef, AppRef, OrganizationRef },
  ...Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [
        `server/contract/${file}`,
        (await import(new URL(file, contract).href)) as object,
      ]),
    ),
  ),
  'server/contract/oauth.ts': { TokenResponse },
}

/** Returns all shapes of the control API by their names in the contract. */
export function controlSchemas(): ReadonlyMap<string, JsonSchema> {
  const named = Object.values(controlGroups).flatMap(
    (group) => Object.entries(group) as [string, unknown][],
  )
  return new Map(named.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value)
}
