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
import { answerParameters, redirectParameters, requestParameters } from './parameters.ts'
import { readReveal } from './reveal.ts'
import { answeredTokens, broughtTokens } from './tokens.ts'
import { copiesOf, rawAnswer, rawDocument, rawRequest } from './wire.ts'

/** What stands behind a step; of organizations the ids alone. */
export type StepDescription = Omit<FlowStepDetail, 'organizations'> & {
  organizationIds: readonly string[]
}

/**
 * What stands behind one step of a sign-in: of its request and answer, or of those that it follows from.
 * @param reveal names of the secrets that are not to be masked
 * @throws {Refusal} `invalid` for the name of a secret that the step has not
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
    // The last: they may show in a text what was shown by itself before.
    ...omitUndefined({ request: rawRequest(record, shown), answer: rawAnswer(record, shown) }),
    copies: copiesOf(record, deps.settings.baseUrl, shown),
  }
  shown.check()
  return description
}

function readMessages(
  { deps, record, reveal }: StepContext,
  step: FlowStep,
): Pick<StepDescription, 'parameters' | 'tokens'> {
  // All are read, so that a secret has the same name in both raw messages.
  const sent = requestParameters(record, reveal)
  const got = answerParameters(record, reveal)
  const brought = broughtTokens(deps, record, reveal)
  const handedOut = answeredTokens(deps, record, reveal)
  if (step.inferred === true && step.from === 'browser') {
    return { parameters: redirectParameters(record, reveal), tokens: [] }
  }
  return step.id.endsWith('.answer') || step.id.endsWith('.after')
    ? { parameters: got, tokens: handedOut }
    : { parameters: sent, tokens: brought }
}

/** The sandbox asks there, not the app. */
function isAboutDocument({ id }: FlowStep): boolean {
  return /\.document(?:-request)?$/.test(id)
}

/** The request of a step; of polls the latest one; of what is inferred the one that it follows from. */
function recordOf({ records }: Flow, step: FlowStep): RequestRecord | undefined {
  if (step.kind !== 'message' && step.kind !== 'polls') return undefined
  const id = step.polls?.list.at(-1)?.requestId ?? step.requestId ?? step.id.split('.', 1)[0]
  return records.find((record) => record.id === id)
}

function appOf({ state }: DrawingDeps, { records }: Flow) {
  const clientId = records.find((record) => record.clientId !== undefined)?.clientId
  return clientId === undefined ? undefined : state.apps.get(clientId)
}
