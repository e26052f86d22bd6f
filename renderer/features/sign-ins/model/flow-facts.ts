import type { FlowDetail, FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { type Fact, namedFacts } from '../../../shared/compare/compare-facts.ts'
import { formatLength, formatSince } from './flow-time.ts'
import { words } from '../words.ts'

/** Values of a sign-in and its steps, to compare it with another one. */
export function flowFacts(flow: FlowDetail, steps: readonly FlowStepDetail[]): Fact[] {
  return [
    ...namedFacts(words.signIns, {
      [words.outcome]: flow.outcome,
      ['Explanation']: flow.explanation,
      ['App']: flow.app?.name,
      ['User']: flow.user?.username,
    }),
    ...steps.flatMap(stepFacts),
  ]
}

function stepFacts({ step, parameters, tokens, scopes, request, answer }: FlowStepDetail): Fact[] {
  const part = (name: string) => `${step.name} · ${name}`
  return [
    ...namedFacts(step.name, {
      [words.outcome]: step.error ?? step.outcome,
      ['Status']: step.status,
      [words.changedByFault]: step.changes?.join('; '),
      [words.scopes]: scopes?.granted.join(' '),
    }),
    ...parameters.map(({ name, value }) => ({ section: part(words.parameters), name, value })),
    ...tokens.flatMap((token) =>
      (token.claims ?? []).map(({ name, value }) => ({
        section: part(`${token.name} ${words.claims}`),
        name,
        value,
      })),
    ),
    ...[request, answer].flatMap((message) =>
      (message?.headers ?? []).map(([name, value]) => ({
        section: part('Headers'),
        name,
        value,
      })),
    ),
    ...namedFacts(part('Timing'), {
      [words.sinceStart]: formatSince(step.sinceMs),
      [words.took]: step.tookMs === undefined ? undefined : formatLength(step.tookMs),
    }),
  ]
}
