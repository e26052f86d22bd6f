import { Type } from 'typebox'
import { PageQuery } from '../../../contract/control.ts'
import {
  FlowList,
  Har,
  RequestDetail,
  RequestList,
  RequestQuery,
} from '../../../contract/control-requests.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { RequestRecord } from '../../../requests/request-log.ts'
import { groupIntoFlows } from '../../../requests/flows.ts'
import { buildHar } from '../../../requests/har.ts'
import { requireUser } from '../../../state/lookups.ts'
import { newestFirst, pageOf } from './page.ts'
import { describeFlow } from './views/flows.ts'
import { describeRequest, describeRequestInDetail, partiesOf } from './views/requests.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['requests']
const params = Type.Object({ id: Type.String({ description: 'Request' }) })

export const requestRoutes: ControlRoutes = async (app, { deps }) => {
  const { requests, settings } = deps
  const flowIds = () =>
    new Map(
      groupIntoFlows(requests.values()).flatMap(({ id, records }) =>
        records.map((record) => [record.id, id] as const),
      ),
    )

  app.get(
    '/requests',
    {
      schema: {
        summary: 'List requests, newest first',
        tags,
        querystring: RequestQuery,
        response: { 200: RequestList, ...refusals },
      },
    },
    async ({ query }) => {
      const flows = flowIds()
      return pageOf(
        newestFirst(requests.values()).filter((record) =>
          fits(record, flows.get(record.id), query),
        ),
        query,
        ({ id }) => id,
        (record) => describeRequest(deps, record, flows.get(record.id)),
      )
    },
  )

  app.get(
    '/requests.har',
    {
      schema: {
        summary: 'All requests as an HTTP Archive',
        tags,
        response: { 200: Har, ...refusals },
      },
    },
    async (_request, reply) => {
      reply.header('Content-Disposition', 'attachment; filename="hub-sandbox.har"')
      const items = requests
        .values()
        .map((record) => describeRequestInDetail(deps, record, undefined))
      return buildHar(items, settings.baseUrl, settings.version)
    },
  )

  app.get(
    '/requests/:id',
    {
      schema: {
        summary: 'One request and its answer',
        tags,
        params,
        response: { 200: RequestDetail, ...refusals },
      },
    },
    async (request) => {
      const { id } = request.params
      const record = requests.get(id)
      if (record === undefined) {
        throw new Refusal('not_found', `There is no request ${id} any more, or there never was.`)
      }
      return describeRequestInDetail(deps, record, flowIds().get(id))
    },
  )

  app.get(
    '/flows',
    {
      schema: {
        summary: 'Requests grouped into sign-ins, newest first',
        tags,
        querystring: PageQuery,
        response: { 200: FlowList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(
        newestFirst(groupIntoFlows(requests.values())),
        query,
        ({ id }) => id,
        (flow) => describeFlow(deps, flow),
      ),
  )

  function fits(record: RequestRecord, flowId: string | undefined, query: RequestQuery): boolean {
    const { clientId, user, path, method, status, refused } = query
    const parties = partiesOf(deps, record)
    return (
      (clientId === undefined || parties.clientId === clientId) &&
      (user === undefined || parties.userId === requireUser(deps, user, 'user').id) &&
      (path === undefined || record.url.includes(path)) &&
      (method === undefined || record.method === method.toUpperCase()) &&
      (status === undefined || fitsStatus(record.status, status)) &&
      (refused === undefined || record.error !== undefined) &&
      (query.flowId === undefined || flowId === query.flowId)
    )
  }
}

/** `404`, or `4xx` for the whole class. */
function fitsStatus(status: number, wanted: string): boolean {
  return new RegExp(`^${wanted.replaceAll(/x/gi, '\\d')}$`).test(String(status))
}
