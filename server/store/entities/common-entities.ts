import { Type } from 'typebox'
import { furthestDateMs } from '../../contract/fixtures/limits.ts'

/** 24 lower-case hex digits: the hub's id of users, organizations, repos, webhooks, discussions and log rows. */
export const ObjectId = Type.String({ pattern: '^[0-9a-f]{24}$' })

/** Milliseconds since 1970 on the sandbox clock. */
export const Timestamp = Type.Number({ minimum: -furthestDateMs, maximum: furthestDateMs })
