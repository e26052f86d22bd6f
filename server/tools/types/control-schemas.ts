import type { JsonSchema } from '../../core/json-schema.ts'
import * as accounts from '../../contract/control-accounts.ts'
import * as advice from '../../contract/control-advice.ts'
import * as audits from '../../contract/control-audits.ts'
import * as apps from '../../contract/control-apps.ts'
import * as collections from '../../contract/control-collections.ts'
import * as comparison from '../../contract/control-comparison.ts'
import * as clock from '../../contract/control-clock.ts'
import * as deliveries from '../../contract/control-deliveries.ts'
import * as events from '../../contract/control-events.ts'
import * as experiments from '../../contract/control-experiments.ts'
import * as faults from '../../contract/control-faults.ts'
import * as forks from '../../contract/control-forks.ts'
import * as frames from '../../contract/control-frames.ts'
import * as health from '../../contract/control-health.ts'
import * as inference from '../../contract/control-inference.ts'
import * as jobs from '../../contract/control-jobs.ts'
import * as fixes from '../../contract/control-fixes.ts'
import * as repoContents from '../../contract/control-repo-contents.ts'
import * as publishers from '../../contract/control-publishers.ts'
import * as repos from '../../contract/control-repos.ts'
import * as requests from '../../contract/control-requests.ts'
import * as sandbox from '../../contract/control-sandbox.ts'
import * as signIn from '../../contract/control-sign-in.ts'
import * as tokens from '../../contract/control-tokens.ts'
import * as demos from '../../contract/control-demos.ts'
import * as webhooks from '../../contract/control-webhooks.ts'
import {
  AppRef,
  ErrorBody,
  Issue,
  OrganizationRef,
  PageQuery,
  UserRef,
} from '../../contract/control.ts'
import { TokenResponse } from '../../contract/oauth.ts'

/** Shapes by their file in the contract. */
export const controlGroups: Readonly<Record<string, object>> = {
  'server/contract/control.ts': { Issue, ErrorBody, PageQuery, UserRef, AppRef, OrganizationRef },
  'server/contract/control-accounts.ts': accounts,
  'server/contract/control-advice.ts': advice,
  'server/contract/control-apps.ts': apps,
  'server/contract/control-audits.ts': audits,
  'server/contract/control-collections.ts': collections,
  'server/contract/control-comparison.ts': comparison,
  'server/contract/control-clock.ts': clock,
  'server/contract/control-deliveries.ts': deliveries,
  'server/contract/control-events.ts': events,
  'server/contract/control-experiments.ts': experiments,
  'server/contract/control-faults.ts': faults,
  'server/contract/control-forks.ts': forks,
  'server/contract/control-frames.ts': frames,
  'server/contract/control-health.ts': health,
  'server/contract/control-inference.ts': inference,
  'server/contract/control-jobs.ts': jobs,
  'server/contract/control-fixes.ts': fixes,
  'server/contract/control-repo-contents.ts': repoContents,
  'server/contract/control-publishers.ts': publishers,
  'server/contract/control-repos.ts': repos,
  'server/contract/control-requests.ts': requests,
  'server/contract/control-sandbox.ts': sandbox,
  'server/contract/control-sign-in.ts': signIn,
  'server/contract/control-tokens.ts': tokens,
  'server/contract/control-demos.ts': demos,
  'server/contract/control-webhooks.ts': webhooks,
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
