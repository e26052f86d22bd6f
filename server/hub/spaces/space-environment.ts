import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { updateRepoSettings } from '../repos/repos.ts'
import {
  type NamedSecret,
  type NamedVariable,
  secretOf,
  variableOf,
} from '../repos/space-options.ts'

interface Change {
  repo: Repo
  actorId?: string
}

interface ToldEntry {
  key: string
  description?: string
  updatedAt: string
}

/** Variables of a Space by name, as its API returns them. */
export function toldVariables({
  variables = {},
  createdAt,
}: Repo): Record<string, ToldEntry & { value: string }> {
  return mapEntries(variables, (variable, key) => {
    const { value, updatedAt, ...rest } =
      typeof variable === 'string' ? { value: variable, updatedAt: createdAt } : variable
    return { key, value, ...rest, updatedAt: isoTime(updatedAt) }
  })
}

/** Secrets of a Space by name, as its API returns them: never with a value. */
export function toldSecrets({ secrets = {} }: Repo): Record<string, ToldEntry> {
  return mapEntries(secrets, ({ updatedAt, ...rest }, key) => ({
    key,
    ...rest,
    updatedAt: isoTime(updatedAt),
  }))
}

/** Sets or replaces a variable, and emits `repo.config` if it has changed. */
export function setSpaceVariable(
  deps: HubDeps,
  { repo, actorId, ...variable }: Change & NamedVariable,
): Repo {
  const { value, description } = variable
  const known = new Map(Object.entries(toldVariables(repo))).get(variable.key)
  if (known?.value === value && known.description === description) return repo
  const variables = {
    ...repo.variables,
    [variable.key]: variableOf(variable, deps.clock.now()),
  }
  return updateRepoSettings(deps, { repo, settings: { variables }, ...omitUndefined({ actorId }) })
}

/** Deletes a variable, and emits `repo.config` if it existed. */
export function deleteSpaceVariable(
  deps: HubDeps,
  { repo, actorId, key }: Change & { key: string },
): Repo {
  const variables = without(repo.variables, key)
  return updateRepoSettings(deps, { repo, settings: { variables }, ...omitUndefined({ actorId }) })
}

/** Sets a secret and publishes `repo.config`, even for an equal value: values of secrets are not compared. */
export function setSpaceSecret(
  deps: HubDeps,
  { repo, actorId, ...secret }: Change & NamedSecret,
): Repo {
  const secrets = { ...repo.secrets, [secret.key]: secretOf(secret, deps.clock.now()) }
  return updateRepoSettings(deps, { repo, settings: { secrets }, ...omitUndefined({ actorId }) })
}

/** Deletes a secret, and emits `repo.config` if it existed. */
export function deleteSpaceSecret(
  deps: HubDeps,
  { repo, actorId, key }: Change & { key: string },
): Repo {
  const secrets = without(repo.secrets, key)
  return updateRepoSettings(deps, { repo, settings: { secrets }, ...omitUndefined({ actorId }) })
}

function mapEntries<From, To>(
  table: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, map(value, key)]))
}

function without<T>(table: Readonly<Record<string, T>> = {}, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => name !== key))
}
