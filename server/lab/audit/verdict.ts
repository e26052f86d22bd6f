import type {
  AuditModuleItem,
  AuditVerdict,
  StartAuditRequest,
} from '../../contract/control-audits.ts'
import { suggestion } from '../../contract/suggestion.ts'
import type { AuditPlan } from '../../contract/words/audit-words.ts'
import type { Issue } from '../../core/config-error.ts'
import type { Judgement } from './judgement.ts'

/** Verdict of a module. */
export type Verdict = AuditVerdict

/** Entry of a catalogue: what a module does, as data. */
export type ModuleDescription = AuditModuleItem

type VerdictEvidence = Verdict['evidence'][number]

/** Entries that a verdict shows at most. */
const mostEvidence = 6

/** Builds the verdict of a module. */
export function verdictOf(
  { id, title, level, expected, fix, sources }: ModuleDescription,
  { outcome, observed, evidence = [], level: ownLevel = level }: Judgement<VerdictEvidence>,
  tookMs: number,
): Verdict {
  return {
    module: id,
    outcome,
    title,
    level: ownLevel,
    expected,
    observed,
    evidence: evidence.slice(0, mostEvidence),
    tookMs: Math.max(0, Math.round(tookMs)),
    fix,
    sources,
  }
}

/** Selects the modules of a run. A name is a module, or a family such as `secret`. */
export function selectModules<M extends Pick<ModuleDescription, 'id' | 'plans'>>(
  modules: readonly M[],
  {
    plan,
    only,
    skip = [],
  }: {
    plan: AuditPlan
    only?: readonly string[] | undefined
    skip?: readonly string[] | undefined
  },
): M[] {
  const isNamed = (names: readonly string[], { id }: M) =>
    names.some((name) => id === name || id.startsWith(`${name}/`))
  return modules.filter(
    (one) =>
      (only === undefined ? one.plans.includes(plan) : isNamed(only, one)) && !isNamed(skip, one),
  )
}

/** Lists the names that select none of the modules, as mistakes of a request. */
export function unknownModules(
  modules: readonly Pick<ModuleDescription, 'id'>[],
  request: Pick<StartAuditRequest, 'only' | 'skip'>,
): Issue[] {
  const known = modules.map(({ id }) => id)
  const isKnown = (name: string) => known.some((id) => id === name || id.startsWith(`${name}/`))
  return (['only', 'skip'] as const).flatMap((path) =>
    (request[path] ?? [])
      .filter((name) => !isKnown(name))
      .map((name) => ({ path, message: `There is no module ${name}${suggestion(name, known)}.` })),
  )
}
