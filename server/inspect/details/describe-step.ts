import type { FlowStep, FlowStepDetail } from '../../contract/control-flows.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { DrawingDeps } from '../drawing/context.ts'
import type { Flow } from '../flows/flows.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { describeExchange } from './exchange-chain.ts'
import {
  describePkce,
  describeRedirectUri,
  describeScopes,
  organizationsOf,
  type StepContext,
} from './grant-facts.ts'
import { answerParameters, redirectParameters, requestParameters } from './parameter-details.ts'
import { readReveal } from './reveal.ts'
import { answeredTokens, broughtTokens } from './token-details.ts'
import { copiesOf, rawResponse, rawDocument, rawRequest } from './wire-details.ts'

/** Details of a step; of organizations the ids alone. */
export type StepDescription = Omit<FlowStepDetail, 'organizations'> & {
  organizationIds: readonly string[]
}

/**
 * Describes one step of a sign-in by its request and response, or by those that it follows from.
 * @param reveal names of secrets to show unmasked
 * @throws {Refusal} `invalid` for the name of a secret that the step does not have
 */
export function describeStep(
  deps: DrawingDeps,
  flow: Flow,
  step: FlowStep,
  reveal: string | undefined,
): StepDescription {
  const record = recordOf(flow, step)
  const shown = readReveal(reveal)
  if (record === undefined || isAboutDocument(step)) {
    shown.check()
    const fetched = isAboutDocument(step) ? record?.documentFetch : undefined
    const raw = fetched === undefined ? {} : rawDocument(fetched)
    return { step, parameters: [], tokens: [], organizationIds: [], ...raw }
  }
  const app = record.clientId === undefined ? undefined : deps.state.apps.get(record.clientId)
  const context: StepContext = { deps, flow, record, app: app ?? appOf(deps, flow), reveal: shown }
  const description = {
    step,
    ...readMessages(context, step),
    ...omitUndefined({
      pkce: describePkce(context),
      redirectUri: describeRedirectUri(context),
      scopes: describeScopes(context),
      exchange: describeExchange(context),
    }),
    organizationIds: organizationsOf(context),
    // Raw messages come last: they reuse the names of secrets that were shown before.
    ...omitUndefined({ request: rawRequest(record, shown), answer: rawResponse(record, shown) }),
    copies: copiesOf(record, deps.settings.baseUrl, shown),
  }
  shown.check()
  return description
}

function readMessages(
  { deps, flow, record, reveal }: StepContext,
  step: FlowStep,
): Pick<StepDescription, 'parameters' | 'tokens'> {
  // Both messages are read, so that a secret has the same name in both.
  const sent = requestParameters(record, reveal)
  const got = answerParameters(record, reveal)
  const brought = broughtTokens(deps, record, reveal)
  const handedOut = answeredTokens(deps, flow, record, reveal)
  if (step.inferred === true && step.from === 'browser') {
    return { parameters: redirectParameters(record, reveal), tokens: [] }
  }
  return step.id.endsWith('.answer') || step.id.endsWith('.after')
    ? { parameters: got, tokens: handedOut }
    : { parameters: sent, tokens: brought }
}

/** The sandbox sends this request, not the app. */
function isAboutDocument({ id }: FlowStep): boolean {
  return /\.document(?:-request)?$/.test(id)
}

/** Returns the request of a step: the latest of several polls, or the one that an inferred step follows from. */
function recordOf({ records }: Flow, step: FlowStep): RequestRecord | undefined {
  if (step.kind !== 'message' && step.kind !== 'polls') return undefined
  const id = step.polls?.list.at(-1)?.requestId ?? step.requestId ?? step.id.split('.', 1)[0]
  return records.find((record) => record.id === id)
}

function appOf({ state }: DrawingDeps, { records }: Flow) {
  const clientId = records.find((record) => record.clientId !== undefined)?.clientId
  return clientId === undefined ? undefined : state.apps.get(clientId)
}
