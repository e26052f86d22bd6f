import { omitUndefined } from '../../core/omit-undefined.ts'
import type { TSchema } from 'typebox'
import type { EventDescription } from '../../contract/control-events.ts'
import { RepoCreatePayload } from '../../contract/webhook-payload.ts'
import type { AnyRepoType } from '../../contract/words/hub-words.ts'
import { Refusal } from '../../core/refusal.ts'
import { suggestion } from '../../contract/suggestion.ts'
import { discussionRecipes } from './discussion-recipes.ts'
import type { Recipe } from './recipe.ts'
import { repoRecipes } from './repo-recipes.ts'
import { createBucket } from '../../hub/buckets/buckets.ts'
import { createRepo } from '../../hub/repos/repos.ts'
import { own } from '../../core/own.ts'

/** The only recipe for a repo that does not exist yet. */
export const createRecipe: Recipe = {
  event: 'repo.create',
  scope: 'repo',
  action: 'create',
  title: 'Create a repo',
  payload: RepoCreatePayload,
  sideEvents: [],
  run: ({ deps, repo: { id, type, name, sdk }, actorId }) => {
    if (type === 'bucket') createBucket(deps, { id, name, actorId })
    else createRepo(deps, { id, type, name, actorId, ...omitUndefined({ sdk }) })
  },
}

const recipes: readonly Recipe[] = [
  createRecipe,
  ...repoRecipes,
  ...discussionRecipes.map((recipe) => ({ ...recipe, suits: 'git' as const })),
]

const recipesByName = listBy(({ event, scope, action }) => [event, `${scope}.${action}`])
const recipesByScope = listBy(({ scope }) => [scope])

/** Titles of events with several kinds. */
const sharedTitles: Record<string, string> = {
  'repo.content': 'Change commits, branches or tags',
  'repo.config': 'Change a setting',
  'discussion.create': 'Open a discussion or pull request',
  'discussion.update': 'Change a discussion or pull request',
  'discussion.comment.update': 'Change a comment',
}

/** All events that can be triggered, in the order of the Hub's documentation. */
export const eventCatalog: readonly EventDescription[] = describeCatalog()

/**
 * Finds the recipe for an event.
 * @param event a scope, or scope and action
 * @param kind one of its causes; default: the first
 * @param type of the repo that it shall happen to
 * @throws {Refusal} with the known events or kinds
 */
export function findRecipe(event: string, kind?: string, type?: AnyRepoType): Recipe {
  const named = recipesByName.get(event) ?? recipesByScope.get(event) ?? []
  const fitting = named.filter((recipe) => suits(recipe, type))
  if (named.length > 0 && fitting.length === 0) {
    const what = type === 'bucket' ? 'a bucket: it has files, and no git' : `a ${type}`
    throw invalid('event', `${event} cannot happen to ${what}.`)
  }
  if (fitting.length === 0) {
    const known = [...new Set(recipes.map((recipe) => recipe.event))]
    throw invalid(
      'event',
      `There is no event ${event}${suggestion(event, known)}. Known events: ${known.join(', ')}.`,
    )
  }
  const found = kind === undefined ? fitting[0] : fitting.find((recipe) => recipe.kind === kind)
  if (found !== undefined) return found
  const kinds = fitting.flatMap((recipe) => recipe.kind ?? [])
  const known = `Known kinds: ${kinds.join(', ')}.`
  throw invalid(
    'kind',
    kinds.length === 0
      ? `${event} has no kinds.`
      : `${event} has no kind ${kind}${suggestion(kind ?? '', kinds)}. ${known}`,
  )
}

function suits(recipe: Recipe, type: AnyRepoType | undefined): boolean {
  if (type === undefined || recipe.suits === undefined) return true
  return recipe.suits === (type === 'bucket' ? 'bucket' : 'git')
}

function listBy(namesOf: (recipe: Recipe) => string[]): ReadonlyMap<string, readonly Recipe[]> {
  const lists = new Map<string, Recipe[]>()
  for (const recipe of recipes) {
    for (const name of new Set(namesOf(recipe))) {
      lists.set(name, [...(lists.get(name) ?? []), recipe])
    }
  }
  return lists
}

function describeCatalog(): EventDescription[] {
  const byEvent = new Map<string, EventDescription>()
  for (const { event, scope, action, kind, title, payload, sideEvents } of recipes) {
    const description = byEvent.get(event) ?? {
      event,
      scope,
      action,
      title: own(sharedTitles, event) ?? title,
      kinds: [],
      fields: describeFields(payload, ''),
    }
    byEvent.set(event, description)
    if (kind !== undefined) {
      description.kinds.push({ kind, title, sideEvents: [...sideEvents] })
    }
  }
  return [...byEvent.values()]
}

/** Parts of JSON Schema that the payload schemas use. */
interface PayloadSchema extends TSchema {
  type?: string
  description?: string
  properties?: Record<string, PayloadSchema>
  anyOf?: PayloadSchema[]
}

/** Describes all fields of a payload that are not objects, by path. */
function describeFields(schema: PayloadSchema, prefix: string): EventDescription['fields'] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix + name
    if (property.properties !== undefined) return describeFields(property, `${path}.`)
    const { description = '' } = property
    return [{ path, type: typeOf(property), description }]
  })
}

function typeOf({ type, anyOf = [] }: PayloadSchema): string {
  return type ?? [...new Set(anyOf.map(typeOf))].join(' or ')
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', message, { issues: [{ path, message }] })
}
