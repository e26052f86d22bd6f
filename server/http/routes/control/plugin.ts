import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ErrorBody } from '../../../contract/control.ts'
import type { ServerDeps } from '../../server-deps.ts'

/** Routes of one resource of the control API. */
export type ControlRoutes = FastifyPluginAsyncTypebox<{ deps: ServerDeps }>

/** What every route may answer besides what it is there for. */
export const refusals = { '4xx': ErrorBody, '5xx': ErrorBody }
