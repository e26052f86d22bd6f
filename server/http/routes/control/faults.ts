import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Empty } from '../../../contract/control.ts'
import {
  AddBarrierRequest,
  AddedBarrier,
  AddedFault,
  AddFaultRequest,
  Barrier,
  BarrierList,
  type FaultMatch,
  FaultList,
  FaultRule,
  ReleaseBarrierRequest,
  ReleasedBarrier,
} from '../../../contract/control-faults.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { matchHints } from '../../../faults/match-hints.ts'
import type { DocumentedRoute } from '../../openapi.ts'
import { refusals } from './plugin.ts'

/** Rules name routes, so they know which there are. */
type RuleRoutes = FastifyPluginAsyncTypebox<{
  deps: ServerDeps
  documented: readonly DocumentedRoute[]
}>

const params = Type.Object({ id: Type.String({ description: 'Rule' }) })

export const faultRoutes: RuleRoutes = async (app, { deps, documented: routes }) => {
  const { faults, state } = deps
  const hintsFor = (match: FaultMatch) => withHints(matchHints({ state, routes }, match))
  const tags = ['faults']
  app.get(
    '/faults',
    { schema: { summary: 'List fault rules', tags, response: { 200: FaultList, ...refusals } } },
    async () => ({ items: faults.list() }),
  )
  app.post(
    '/faults',
    {
      schema: {
        summary: 'Add a fault rule',
        description: 'The first rule that matches an answer and is not used up changes it.',
        tags,
        body: AddFaultRequest,
        response: { 201: AddedFault, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return { ...faults.add(body), ...hintsFor(body.match) }
    },
  )
  app.get(
    '/faults/:id',
    { schema: { summary: 'One rule', tags, params, response: { 200: FaultRule, ...refusals } } },
    async (request) => faults.get(request.params.id) ?? refuseUnknown(request.params.id),
  )
  app.delete(
    '/faults/:id',
    { schema: { summary: 'Remove a rule', tags, params, response: { 200: Empty, ...refusals } } },
    async (request) => {
      const { id } = request.params
      return faults.remove(id) ? {} : refuseUnknown(id)
    },
  )
  app.delete(
    '/faults',
    { schema: { summary: 'Remove all rules', tags, response: { 200: Empty, ...refusals } } },
    async () => {
      faults.clear()
      return {}
    },
  )
}

export const barrierRoutes: RuleRoutes = async (app, { deps, documented: routes }) => {
  const { barriers, state } = deps
  const hintsFor = (match: FaultMatch) => withHints(matchHints({ state, routes }, match))
  const tags = ['barriers']
  app.get(
    '/barriers',
    { schema: { summary: 'List barriers', tags, response: { 200: BarrierList, ...refusals } } },
    async () => ({ items: barriers.list() }),
  )
  app.post(
    '/barriers',
    {
      schema: {
        summary: 'Hold requests until they are released',
        tags,
        body: AddBarrierRequest,
        response: { 201: AddedBarrier, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return { ...barriers.add(body), ...hintsFor(body.match) }
    },
  )
  app.get(
    '/barriers/:id',
    { schema: { summary: 'One barrier', tags, params, response: { 200: Barrier, ...refusals } } },
    async (request) => barriers.get(request.params.id) ?? refuseUnknown(request.params.id),
  )
  app.post(
    '/barriers/:id/release',
    {
      schema: {
        summary: 'Let the held requests go, in an order of your choice',
        tags,
        params,
        body: Type.Optional(ReleaseBarrierRequest),
        response: { 200: ReleasedBarrier, ...refusals },
      },
    },
    async (request) => barriers.release(request.params.id, request.body?.order),
  )
}

function withHints(hints: string[]): { hints?: string[] } {
  return hints.length === 0 ? {} : { hints }
}

function refuseUnknown(id: string): never {
  throw new Refusal('not_found', `There is no rule ${id}.`)
}
