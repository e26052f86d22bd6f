import type { FastifyPluginAsync } from 'fastify'
import { pathOf } from '../../core/request-target.ts'
import type { RequestQuery } from '../../contract/control-requests.ts'
import type { CompiledQuery } from '../../contract/query/compile-query.ts'
import { requestSubject } from '../../contract/query/subjects.ts'
import { fitsPattern } from '../../contract/fits-pattern.ts'
import { isRefused } from '../../inspect/log/expected.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import { detailOf } from '../../inspect/log/request-reason.ts'
import { partiesOf } from '../../inspect/flows/parties.ts'
import { writeHar } from '../../inspect/exports/har.ts'
import { requireUser } from '../../store/lookups.ts'
import { followRequests } from './follow-requests.ts'
import { createLineStreams } from '../../web/line-streams.ts'
import { filtered, mapped, pageOf } from '../../web/page.ts'
import { readQuery } from '../control/queries.ts'
import type { DocumentedRoute } from '../openapi/openapi.ts'
import type { ServerDeps } from '../server-deps.ts'
import { describeExtent, describeRequest, describeRequestInDetail } from './view.ts'
import { control } from '../../web/control-route.ts'
import { checkRequestFilters } from '../control/filters.ts'
import { requireRequest } from '../../inspect/log/logged.ts'
import { sendJsonParts } from '../../web/send-json.ts'

/** A filter of requests may name a route, so this needs the list of routes. */
type RequestRoutes = FastifyPluginAsync<{
  deps: ServerDeps
  documented: readonly DocumentedRoute[]
}>

export const requestRoutes: RequestRoutes = async (app, { deps, documented }) => {
  const { requests, settings } = deps
  const flowIdOf = ({ id }: RequestRecord) => requests.flows.ofRequest(id)?.id

  const answerLines = createLineStreams(app)

  control(app, 'GET requests', async ({ query }, reply) => {
    checkRequestFilters(deps, documented, query)
    const isWanted = testOf(query)
    const describe = (record: RequestRecord) => describeRequest(deps, record, flowIdOf(record))
    if (query.follow !== undefined) {
      return answerLines(reply, (hungUp) => followRequests(deps, hungUp, isWanted, describe))
    }
    const page = pageOf(filtered(requests.newestFirst(), isWanted), query, ({ id }) => id, describe)
    return { ...page, kept: describeExtent(requests) }
  })

  control(app, 'GET requests.har', async (_request, reply) => {
    reply.header('content-disposition', 'attachment; filename="hub-sandbox.har"')
    const items = mapped(requests.values(), (record) =>
      describeRequestInDetail(deps, record, undefined),
    )
    return sendJsonParts(reply, writeHar(items, settings.baseUrl, settings.version))
  })

  control(app, 'GET requests/:id', async (request) => {
    const { id } = request.params
    const record = requireRequest(requests, id)
    return describeRequestInDetail(deps, record, flowIdOf(record))
  })

  /** Builds the test of a query, once for all requests. */
  function testOf(query: RequestQuery): (record: RequestRecord) => boolean {
    const { clientId, path, method, status, refused, flowId, route, text, since } = query
    const userId = query.user === undefined ? undefined : requireUser(deps, query.user, 'user').id
    const from = since === undefined ? undefined : Date.parse(since)
    const queries = [
      readQuery(deps, 'requests', query.q ?? ''),
      readQuery(deps, 'requests', query.filter ?? '', 'filter'),
    ].filter(({ terms }) => terms.length > 0)
    const isParty = (record: RequestRecord) => {
      if (clientId === undefined && userId === undefined) return true
      const parties = partiesOf(deps, record)
      return (
        (clientId === undefined || parties.clientId === clientId) &&
        (userId === undefined || parties.userId === userId)
      )
    }
    return (record) =>
      (path === undefined || record.url.includes(path)) &&
      (method === undefined || record.method === method.toUpperCase()) &&
      (status === undefined || fitsStatus(record.status, status)) &&
      (refused === undefined || isRefused(record)) &&
      (route === undefined || fitsPattern(route, pathOf(record.url))) &&
      (from === undefined || record.at >= from) &&
      (text === undefined || hasText(record, text)) &&
      (flowId === undefined || flowIdOf(record) === flowId) &&
      isParty(record) &&
      (queries.length === 0 || isQueried(record, queries))
  }

  function isQueried(record: RequestRecord, queries: readonly CompiledQuery[]): boolean {
    const subject = requestSubject(describeRequest(deps, record, flowIdOf(record)))
    return queries.every(({ test }) => test(subject))
  }
}

/** Checks whether the line of a request contains a text. */
function hasText(record: RequestRecord, text: string): boolean {
  const { method, url, error = '' } = record
  const line = `${method} ${url} ${error} ${detailOf(record) ?? ''}`
  return line.toLowerCase().includes(text.toLowerCase())
}

/** Matches `404`, or `4xx` for the whole class. */
function fitsStatus(status: number, wanted: string): boolean {
  return wanted.toLowerCase().endsWith('xx')
    ? String(status).length === 3 && String(status).startsWith(wanted.slice(0, 1))
    : String(status) === wanted
}
