import type { SearchHit } from '../../contract/control-search.ts'
import type { ServerDeps } from '../server-deps.ts'
import * as hits from './hits.ts'
import { describeTarget } from '../../hub/webhooks/control-view.ts'

/** Finds things whose names contain the text; names that begin with it come first. */
export function findByName(deps: ServerDeps, text: string, most: number): SearchHit[] {
  const { state } = deps
  const wanted = text.toLowerCase()
  const find = <T>(
    things: Iterable<T>,
    names: (thing: T) => readonly string[],
    hit: (thing: T) => SearchHit,
  ) => {
    const found: { thing: T; begins: boolean }[] = []
    for (const thing of things) {
      const lower = names(thing).map((name) => name.toLowerCase())
      if (!lower.some((name) => name.includes(wanted))) continue
      found.push({ thing, begins: lower.some((name) => name.startsWith(wanted)) })
    }
    return found
      .toSorted((one, other) => Number(other.begins) - Number(one.begins))
      .slice(0, most)
      .map(({ thing }) => hit(thing))
  }
  return [
    ...find(state.users.values(), (user) => [user.username, user.fullname], hits.userHit),
    ...find(
      state.organizations.values(),
      ({ name, fullname }) => [name, fullname],
      hits.organizationHit,
    ),
    ...find(state.apps.values(), ({ name }) => [name], hits.appHit),
    ...find(state.repos.values(), ({ name }) => [name, name.split('/').at(-1) ?? ''], hits.repoHit),
    ...find(
      state.webhooks.values(),
      (webhook) => [webhook.name ?? '', describeTarget(webhook)],
      hits.webhookHit,
    ),
    ...find(
      state.scheduledJobs.values(),
      ({ spec }) => [spec.dockerImage ?? spec.spaceId ?? ''],
      hits.scheduledJobHit,
    ),
    ...find(
      state.hubCollections.values(),
      ({ title }) => [title],
      (collection) => hits.collectionHit(deps, collection),
    ),
    ...find(
      state.inferenceEndpoints.values(),
      ({ name, model }) => [name, model.repository],
      (endpoint) => hits.endpointHit(deps, endpoint),
    ),
  ]
}
