import { encodeText } from '../../core/encode-text.ts'
import type { SearchHit } from '../../contract/control-search.ts'
import { bodyText } from '../../inspect/log/body-text.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { ServerDeps } from '../server-deps.ts'
import * as hits from './hits.ts'

/** Shorter texts match too much. */
const shortestCode = 8
const mostRequests = 5

/** Finds items by their whole id, token or code. */
export function findExactly(deps: ServerDeps, text: string): SearchHit[] {
  const found = [...byToken(deps, text), ...byDevice(deps, text), ...byId(deps, text)]
  return found.length > 0 ? found : byWhatWasSent(deps, text)
}

function byToken(deps: ServerDeps, text: string): SearchHit[] {
  const bare = text.replace(/^Bearer +/i, '')
  const token = deps.state.tokens.find('token', bare) ?? deps.state.tokens.get(bare)
  return token === undefined
    ? []
    : [hits.tokenHit(deps, token), ...byWhatWasSent(deps, token.token).slice(0, 1)]
}

/** Finds a device by its user code, in any letter case and with or without the hyphen. */
function byDevice(deps: ServerDeps, text: string): SearchHit[] {
  const letters = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`
  const { deviceAuthorizations } = deps.state
  const device =
    (letters.length === 8 ? deviceAuthorizations.find('userCode', userCode) : undefined) ??
    deviceAuthorizations.get(text)
  return device === undefined
    ? []
    : [hits.deviceHit(deps, device), ...byWhatWasSent(deps, device.userCode).slice(0, 1)]
}

function byId(deps: ServerDeps, id: string): SearchHit[] {
  const { state, requests, faults } = deps
  const as = <T>(thing: T | undefined, hit: (thing: T) => SearchHit) =>
    thing === undefined ? [] : [hit(thing)]
  return [
    ...as(requests.flows.get(id), hits.flowHit),
    ...as(requests.get(id), hits.requestHit),
    ...as(state.users.get(id), hits.userHit),
    ...as(state.organizations.get(id), hits.organizationHit),
    ...as(state.apps.get(id), hits.appHit),
    ...as(state.repos.get(id), hits.repoHit),
    ...as(state.webhooks.get(id), hits.webhookHit),
    ...as(state.deliveries.get(id), hits.deliveryHit),
    ...as(state.jobs.get(id), hits.jobHit),
    ...as(state.scheduledJobs.get(id), hits.scheduledJobHit),
    ...as(state.hubCollections.get(id), (collection) => hits.collectionHit(deps, collection)),
    ...as(state.inferenceEndpoints.get(id), (endpoint) => hits.endpointHit(deps, endpoint)),
    ...as(faults.get(id), hits.faultHit),
  ]
}

/** Finds sign-ins and other requests that contain the text: a code, a state, a refresh token. */
function byWhatWasSent({ requests }: ServerDeps, text: string): SearchHit[] {
  if (text.length < shortestCode || /\s/.test(text)) return []
  const flows = new Map<string, SearchHit>()
  const others: SearchHit[] = []
  for (const record of requests.values().toReversed()) {
    if (!holds(record, text)) continue
    const flow = requests.flows.ofRequest(record.id)
    if (flow !== undefined) flows.set(flow.id, hits.flowHit(flow))
    else others.push(hits.requestHit(record))
    if (flows.size + others.length >= mostRequests) break
  }
  return [...flows.values(), ...others]
}

function holds({ url, request, response }: RequestRecord, text: string): boolean {
  const encoded = encodeText(text)
  return (
    url.includes(text) ||
    url.includes(encoded) ||
    request.headers.authorization?.includes(text) === true ||
    response.headers.location?.includes(encoded) === true ||
    bodyText(request.body)?.includes(encoded) === true ||
    bodyText(response.body)?.includes(text) === true
  )
}
