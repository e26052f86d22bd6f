import type { FlowDetail, FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { type Fact, namedFacts, timingFacts } from '../../../shared/compare/compare-facts.ts'
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
    ...numbered(steps).flatMap(([detail, name]) =>
      stepFacts(detail, name).map((fact) => ({ ...fact, step: name })),
    ),
  ]
}

/** Steps with their names: the second of a name has the number 2. */
function numbered(steps: readonly FlowStepDetail[]): [FlowStepDetail, string][] {
  const counts = new Map<string, number>()
  return steps.map((detail) => {
    const { name } = detail.step
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return [detail, count === 1 ? name : `${name} (${count})`]
  })
}

function stepFacts(
  { step, parameters, tokens, scopes, request, answer }: FlowStepDetail,
  stepName: string,
): Fact[] {
  const part = (name: string) => `${stepName} · ${name}`
  return [
    ...namedFacts(stepName, {
      [words.outcome]: step.error ?? step.outcome,
      ['Status']: step.status,
      [words.changedByFault]: step.changes?.join('; '),
      [words.scopes]: scopes?.granted.join(' '),
    }),
    ...parameters.map((parameter) => factOf(part(words.parameters), parameter)),
    ...tokens.flatMap((token) =>
      (token.claims ?? []).map(({ name, value }) => ({
        section: part(`${token.name} ${words.claims}`),
        name,
        value,
      })),
    ),
    ...[request, answer].flatMap((message) =>
      (message?.headers ?? []).map(([name, value]) => factOf(part('Headers'), { name, value })),
    ),
    ...timingFacts(part('Timing'), {
      [words.sinceStart]: formatSince(step.sinceMs),
      [words.took]: step.tookMs === undefined ? undefined : formatLength(step.tookMs),
    }),
  ]
}

/** Each sign-in has tokens of its own; the credentials of the app are the same. */
function factOf(section: string, { name, value }: { name: string; value: string }): Fact {
  return { section, name, value, eachTime: name === 'authorization' && value.startsWith('Bearer ') }
}
